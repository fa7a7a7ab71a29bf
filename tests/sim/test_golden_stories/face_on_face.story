wingedge story 1
digest 034f48e981989582
bodies block/table
frames 100
first 0
dt 0.016666666666666666

17 begin block/table FF f0 f1
87 end block/table FF f0 f1
