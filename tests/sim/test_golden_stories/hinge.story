wingedge story 1
digest 24bfafcf062aa29e
bodies block/table
frames 110
first 0
dt 0.016666666666666666

9 begin block/table FF f0 f1
34 change block/table FF f0 f1 -> FF f1 f1
54 change block/table FF f1 f1 -> FF f0 f1
55 change block/table FF f0 f1 -> EF e5(5-2) f1
66 change block/table EF e5(5-2) f1 -> FF f0 f1
67 penetrate block/table FF f0 f1
82 separate block/table FF f0 f1
86 end block/table FF f0 f1
96 begin block/table FF f0 f1
101 end block/table FF f0 f1

numbers 24abda545a3493d6
9 block/table 0.0005 1.2 0 0 -1
34 block/table 0.0005 1.2 0 0 -1
54 block/table 0.0005 1.2 0 0 -1
55 block/table 0.0005 1.2 0 0 -1
66 block/table 0.0005 1.2 0 0 -1
67 block/table -0.00125 1.2 0 0 -1
82 block/table 0.0001666666 1.2 0 0 -1
86 block/table 0.0336666666667 1.2
96 block/table 0.0005 1.2 0 0 -1
101 block/table 0.0336666666667 1.2
