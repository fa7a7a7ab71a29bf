wingedge story 1
digest 569fe36ed54dd573
bodies upper/lower
frames 90
first 0
dt 0.016666666666666666

18 begin upper/lower EF e3(1-0) f1
66 change upper/lower EF e3(1-0) f1 -> EE e0(0-2) e5(5-7)
67 end upper/lower EE e0(0-2) e5(5-7)
