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
