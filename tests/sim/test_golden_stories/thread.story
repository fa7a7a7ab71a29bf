wingedge story 1
digest 076c947ff93fbd95
bodies peg/ring
frames 110
first 0
dt 0.016666666666666666

45 begin peg/ring EF e13(6-0) f7
58 end peg/ring EF e13(6-0) f7
71 begin peg/ring EF e15(3-9) f15
94 change peg/ring EF e15(3-9) f15 -> VE v9 e28(7-4)
95 end peg/ring VE v9 e28(7-4)

numbers eeba09cd1485ad44
45 peg/ring 0.00875 0.5 1 0 0
58 peg/ring 0.0225 0.5
71 peg/ring 0.006 0.5 -1 0 0
94 peg/ring 0.0166741649799 0.666666666667 -0.029986509106 0 0.999550303522 -0.1995 0 -0.166666666667
95 peg/ring 0.0333370831224 0.683333333333
