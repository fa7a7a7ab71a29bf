wingedge story 1
digest 034f48e981989582
bodies block/table
frames 100
first 0
dt 0.016666666666666666

17 begin block/table FF f0 f1
87 end block/table FF f0 f1

numbers edd3e476b478439c
17 block/table 0.00602777777778 1.2 0 0 -1
87 block/table 0.025375 1.69388951101
