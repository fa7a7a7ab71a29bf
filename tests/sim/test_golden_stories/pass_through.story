wingedge story 1
digest 11d44abd2da321d4
bodies ball/plate
frames 100
first 0
dt 0.016666666666666666

18 begin ball/plate VF v36 f1
19 penetrate ball/plate VF v36 f1
39 change ball/plate VF v36 f1 -> VF v28 f1
49 change ball/plate VF v28 f1 -> VF v16 f0
65 change ball/plate VF v16 f0 -> VF v0 f0
66 change ball/plate VF v0 f0 -> VF v15 f0
78 separate ball/plate VF v15 f0
79 end ball/plate VF v15 f0
