wingedge story 1
digest 83413efd65930538
bodies ball/block
frames 60
first 0
dt 0.25

4 begin ball/block VF v41 f5
8 change ball/block VF v41 f5 -> VF v40 f4
12 change ball/block VF v40 f4 -> VF v35 f1
16 change ball/block VF v35 f1 -> VF v30 f0
20 end ball/block VF v30 f0
24 begin ball/block VF v21 f3
28 change ball/block VF v21 f3 -> VF v12 f2
32 change ball/block VF v12 f2 -> VF v41 f5
32 penetrate ball/block VF v41 f5
36 change ball/block VF v41 f5 -> VF v30 f0
40 separate ball/block VF v41 f5
40 change ball/block VF v30 f0 -> VF v41 f5
44 change ball/block VF v41 f5 -> FV f71 v7
44 penetrate ball/block FV f71 v7
48 change ball/block FV f71 v7 -> VF v35 f1
52 separate ball/block VF v40 f4
52 change ball/block VF v35 f1 -> VF v40 f4
56 end ball/block VF v40 f4
