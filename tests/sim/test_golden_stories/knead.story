wingedge story 1
digest 54f79aaacc0a4636
bodies upper/lower
frames 60
first 0
dt 0.016666666666666666

0 convexity_lost upper e11(13-4) 0.0888697
0 convexity_lost lower e36(22-31) 0.0888697
11 begin upper/lower EE e5(11-2) e30(20-29)
11 birth upper/lower #0 EE e5(11-2) e30(20-29)
27 birth upper/lower #1 EE e17(15-6) e42(24-33)
30 merge upper/lower #0+#1 -> #0
37 split upper/lower #0 -> #0+#2
40 death upper/lower #2 EE e17(15-6) e42(24-33)
44 death upper/lower #0 EE e5(11-2) e30(20-29)
45 end upper/lower EE e5(11-2) e30(20-29)

numbers 9daf2bac8a0fd557
11 upper/lower 0.00879166666667 0.5 0 0 -1
45 upper/lower 0.025375 0.5
