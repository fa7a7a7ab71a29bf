wingedge story 1
digest 28e80535968b0808
bodies arm/post/other
frames 100
first 0
dt 0.016666666666666666

13 convexity_lost arm e29(3-13) 0.00789287
48 begin arm/post FE f17 e15(3-9)
67 end arm/post FE f17 e15(3-9)

numbers d2e0994eb1d5018c
48 arm/post 0.0002 1.2 1 0 0
67 arm/post 0.0301916666667 1.2
