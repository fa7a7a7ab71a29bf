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
