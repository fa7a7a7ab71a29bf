wingedge story 1
digest 0e12d99ca61a4164
bodies upper/lower
frames 90
first 0
dt 0.016666666666666666

12 begin upper/lower VF v0 f1
21 change upper/lower VF v0 f1 -> VF v2 f1
36 change upper/lower VF v2 f1 -> FF f0 f1
49 change upper/lower FF f0 f1 -> VF v1 f1
67 change upper/lower VF v1 f1 -> VF v0 f1
79 end upper/lower VF v0 f1
