wingedge story 1
digest d5d6c0944271ac93
bodies upper/lower
frames 75
first 0
dt 0.016666666666666666

14 begin upper/lower EE e7(3-0) e7(3-0)
60 end upper/lower EE e7(3-0) e7(3-0)

numbers f74b2a192a4ac31c
14 upper/lower 0.00431585185185 1 0 0 -1 0 -0.3 0.404315851852
60 upper/lower 0.031648 1
