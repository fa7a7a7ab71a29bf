wingedge story 1
digest 9b94902ccfe04b22
bodies upper/lower
frames 120
first 0
dt 0.016666666666666666

18 begin upper/lower EE e7(3-0) e7(3-0)
104 end upper/lower EE e7(3-0) e7(3-0)

numbers 088889ad8bf98b5d
18 upper/lower 0.0005 1.0005 0 0 -1 0 0 0.5005
104 upper/lower 0.03375 1.03375
