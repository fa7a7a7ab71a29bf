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

numbers a6368c6af3b5621c
0 domino0/table 0.0095 1.2 0 0 -1
0 domino1/table 0.0095 1.2 0 0 -1
0 domino2/table 0.0095 1.2 0 0 -1
0 domino3/table 0.0095 1.2 0 0 -1
1 domino0/table 0.00997606345875 1.2 0 0 -1
6 domino0/domino1 0.00999206359081 0.2024176134958 0.999862640102 0 -0.016574104122
6 domino1/table 0.00997984849771 1.2 0 0 -1
18 domino1/domino2 0.00999367527264 0.203012637959 0.999951818794 0 -0.009816317601
18 domino2/table 0.00998069081294 1.2 0 0 -1
31 domino2/domino3 0.0099945409005 0.203275077885 0.999976763723 0 -0.006817038567
31 domino3/table 0.00998107283826 1.2 0 0 -1
53 domino0/domino1 0.00998935181882 0.193570788397 0.495102648469 0 -0.868834487966
53 domino1/domino2 0.00998666962304 0.193572838471 0.495077646477 0 -0.868848734797
53 domino2/domino3 0.00998795555685 0.193653569404 0.493962952964 0 -0.869482950436
58 domino3/table 0.00996012028082 1.2 0 0 -1
59 domino3/table 0.00996867531959 1.2 0 0 -1
