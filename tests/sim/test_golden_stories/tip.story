wingedge story 1
digest 7984147075f2951e
bodies block/table
frames 100
first 0
dt 0.016666666666666666

17 begin block/table FF f0 f1
25 change block/table FF f0 f1 -> EF e2(3-1) f1
72 change block/table EF e2(3-1) f1 -> FF f5 f1
87 end block/table FF f5 f1

numbers 0b445c9ee5ec0f5f
17 block/table 0.00602777777778 1.2 0 0 -1
25 block/table 0.0005 1.2 0 0 -1
72 block/table 0.0005 1.2 0 0 -1
87 block/table 0.025375 1.2
