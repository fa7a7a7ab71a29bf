wingedge story 1
digest 1e6e059148f31054
bodies domino0/domino1/domino2/domino3/table
frames 60
first 0
dt 0.016666666666666666

0 begin domino0/table FF f0 f1
0 begin domino1/table FF f0 f1
0 begin domino2/table FF f0 f1
0 begin domino3/table FF f0 f1
1 change domino0/table FF f0 f1 -> EF e2(3-1) f1
6 begin domino0/domino1 EF e5(5-7) f4
6 change domino1/table FF f0 f1 -> EF e2(3-1) f1
18 begin domino1/domino2 EF e5(5-7) f4
18 change domino2/table FF f0 f1 -> EF e2(3-1) f1
31 begin domino2/domino3 EF e5(5-7) f4
31 change domino3/table FF f0 f1 -> EF e2(3-1) f1
53 change domino0/domino1 EF e5(5-7) f4 -> FE f5 e0(0-2)
53 change domino1/domino2 EF e5(5-7) f4 -> FE f5 e0(0-2)
53 change domino2/domino3 EF e5(5-7) f4 -> FE f5 e0(0-2)
58 change domino3/table EF e2(3-1) f1 -> EF e5(5-7) f1
59 change domino3/table EF e5(5-7) f1 -> EF e2(3-1) f1

numbers ef25e777e51f015f
0 domino0/table 0.0095 1.2 0 0 -1
0 domino1/table 0.0095 1.2 0 0 -1
0 domino2/table 0.0095 1.2 0 0 -1
0 domino3/table 0.0095 1.2 0 0 -1
1 domino0/table 0.00997606345875 1.2 0 0 -1
6 domino0/domino1 0.00999206359081 0.202417613495 0.999862640102 0 -0.016574104129
6 domino1/table 0.00997984849771 1.2 0 0 -1
18 domino1/domino2 0.00999367527215 0.2030126377984 0.999951818776 0 -0.009816319428
18 domino2/table 0.00998069081271 1.2 0 0 -1
31 domino2/domino3 0.00999454089784 0.203275077138 0.999976763664 0 -0.006817047114
31 domino3/table 0.00998107283716 1.2 0 0 -1
53 domino0/domino1 0.0099893518154 0.193570789276 0.495102636582 0 -0.86883449474
53 domino1/domino2 0.0099866696139 0.1935728393507 0.495077634592 0 -0.868848741569
53 domino2/domino3 0.00998795554905 0.193653570174 0.493962942456 0 -0.869482956406
58 domino3/table 0.00996012025594 1.2 0 0 -1
59 domino3/table 0.00996867531778 1.2 0 0 -1
