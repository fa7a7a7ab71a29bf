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

numbers 84188349405bb670
4 ball/block 0.0005 0.9005 -1 0 0 0.5005 0.1 0.05
8 ball/block 0.0005 0.9005 1 0 0 -0.5005 -0.1 0
12 ball/block 0.0005 0.7005 0 0 -1 0 0 0.3005
16 ball/block 0.0005 0.7005 0 0 1 0.3 0.2 -0.3005
20 ball/block 1498.909736234 1000
24 ball/block 0.0005 0.8005 0 -1 0 0.1 0.4005 -0.1
28 ball/block 0.0005 0.8005 0 1 0 -0.3 -0.4005 0.1
32 ball/block -0.15 0.75 -1 0 0 0.35 0.1 0
36 ball/block -0.1 0.6 0 0 1 0 0 -0.2
40 ball/block 0.0005 0.9005 -1 0 0 0.5005 -0.3 0.2
44 ball/block -0.0272587820713 0.7 -0.57735026919 -0.57735026919 -0.57735026919 0.484262134833 0.384262134833 0.284262134833
48 ball/block -0.7 0.5 0 0 -1
52 ball/block 0.0005 0.9005 1 0 0 -0.5005 0.2 -0.2
56 ball/block 1.1 2
