wingedge story 1
digest e23c472e9bf7e3ae
bodies plank/ridge/table
frames 130
first 0
dt 0.016666666666666666

11 begin plank/ridge FE f0 e7(3-0)
42 begin plank/table EF e2(3-1) f1
56 end plank/table EF e2(3-1) f1
84 begin plank/table EF e0(0-2) f1
98 end plank/table EF e0(0-2) f1
123 end plank/ridge FE f0 e7(3-0)

numbers 33ea2c71fe8eea52
11 plank/ridge 0.00879166666667 0.8 0 0 -1
42 plank/table 0.00102865738473 1.2 0 0 -1
56 plank/table 0.0321566781286 1.2
84 plank/table 0.00102865738473 1.2 0 0 -1
98 plank/table 0.0269435188709 1.2
123 plank/ridge 0.025375 0.8
