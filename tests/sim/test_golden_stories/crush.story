wingedge story 1
digest e21b8b6e92cc0e25
bodies bench/ball/plate/table
frames 90
first 0
dt 0.016666666666666666

0 begin bench/table FF f0 f1
0 begin ball/table VF v35 f1
8 begin bench/plate FF f13 f0
29 begin bench/ball FV f12 v30
29 change bench/plate FF f13 f0 -> EF e29(21-23) f0
29 change bench/table FF f0 f1 -> EF e0(0-2) f1
46 end bench/ball FV f12 v30
46 change bench/plate EF e29(21-23) f0 -> EF e31(22-20) f0
46 change bench/table EF e0(0-2) f1 -> EF e14(11-9) f1
48 change bench/plate EF e31(22-20) f0 -> EF e29(21-23) f0
48 change bench/table EF e14(11-9) f1 -> EF e0(0-2) f1
49 end bench/plate EF e29(21-23) f0
49 end bench/table EF e0(0-2) f1
67 begin bench/table EF e0(0-2) f1
68 change bench/table EF e0(0-2) f1 -> EF e14(11-9) f1
69 change bench/table EF e14(11-9) f1 -> FF f6 f1
72 change bench/table FF f6 f1 -> EF e14(11-9) f1
73 change bench/table EF e14(11-9) f1 -> FF f6 f1
75 change bench/table FF f6 f1 -> FF f0 f1
80 change bench/table FF f0 f1 -> FF f6 f1
85 change bench/table FF f6 f1 -> FF f0 f1

numbers 7f69e7b10b5e4dc8
0 bench/table 0.009 1.2 0 0 -1
0 ball/table 0.009 1.2 0 0 -1 0.1 0 0.009
8 bench/plate 0.009730288587 0.9 0 0 1
29 bench/ball 0.0099075837874 0.7 2.6601e-08 0 -1 0.0999999997662 0 0.418444738963
29 bench/plate 0.0090214545955 0.9 0 0 1
29 bench/table 0.00946203934328 1.2 0 0 -1
46 bench/ball 0.0297833219147 0.700000000283
46 bench/plate 0.00917386373605 0.9 0 0 1
46 bench/table 0.00951030419684 1.2 0 0 -1
48 bench/plate 0.00977143206775 0.9 0 0 1
48 bench/table 0.009768336011 1.2 0 0 -1
49 bench/plate 0.0249000312991 0.9
49 bench/table 0.0225014016546 1.2
67 bench/table 0.00981936504607 1.2 0 0 -1
68 bench/table 0.00969420386342 1.2 0 0 -1
69 bench/table 0.00972196083716 1.2 0 0 -1
72 bench/table 0.00993389255293 1.2 0 0 -1
73 bench/table 0.00995948579552 1.2 0 0 -1
75 bench/table 0.00987026426772 1.2 0 0 -1
80 bench/table 0.0098649050545 1.2 0 0 -1
85 bench/table 0.00986103761295 1.2 0 0 -1
