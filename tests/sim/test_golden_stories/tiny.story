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

numbers 02285dd1f5a6e437
12 upper/lower 2e-12 1.2e-09 0 0 -1 6.43530203449e-10 3.39712769302e-10 5.02e-10
21 upper/lower 2e-12 1.2e-09 0 0 -1 -2.41365608505e-10 -1.7280127381e-10 5.02e-10
36 upper/lower 2e-12 1.2e-09 0 0 -1
49 upper/lower 2e-12 1.2e-09 0 0 -1 -1e-10 6.05527683482e-10 5.02e-10
67 upper/lower 2e-12 1.2e-09 0 0 -1 6.50130527235e-10 -1.39712769302e-10 5.02e-10
79 upper/lower 8.51666666667e-11 1.22297120544e-09
