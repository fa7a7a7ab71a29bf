wingedge story 1
digest 642038c1b0a8d9b3
bodies stone0/stone1/stone2/stone3/stone4/stone5/stone6/stone7/stone8/stone9/stone10/stone11/table
frames 80
first 0
dt 0.016666666666666666

18 begin stone0/table VF v6 f1
21 begin stone1/table VF v3 f1
23 begin stone2/table VF v3 f1
25 end stone0/table VF v6 f1
26 begin stone3/table VF v3 f1
27 end stone1/table VF v3 f1
28 begin stone4/table VF v3 f1
30 end stone2/table VF v3 f1
30 begin stone5/table VF v3 f1
32 end stone3/table VF v3 f1
33 begin stone6/table VF v3 f1
34 change stone4/table VF v3 f1 -> VF v4 f1
34 change stone5/table VF v3 f1 -> VF v9 f1
34 change stone6/table VF v3 f1 -> VF v9 f1
35 end stone4/table VF v4 f1
35 begin stone7/table VF v9 f1
37 end stone5/table VF v9 f1
38 begin stone0/stone1 EE e12(11-4) e16(7-6)
38 penetrate stone0/stone1 EE e12(11-4) e16(7-6)
38 begin stone8/table VF v9 f1
39 end stone6/table VF v9 f1
40 change stone0/stone1 EE e12(11-4) e16(7-6) -> VF v11 f18
40 begin stone9/table VF v9 f1
42 separate stone0/stone1 VF v11 f13
42 change stone0/stone1 VF v11 f18 -> VF v11 f13
42 begin stone2/stone3 FV f5 v2
42 end stone7/table VF v9 f1
42 begin stone10/table VF v9 f1
43 end stone0/stone1 VF v11 f13
43 penetrate stone2/stone3 FV f5 v2
44 end stone8/table VF v9 f1
45 begin stone11/table VF v9 f1
46 separate stone2/stone3 FV f5 v2
47 change stone2/stone3 FV f5 v2 -> EV e3(5-1) v2
47 end stone9/table VF v9 f1
48 end stone2/stone3 EV e3(5-1) v2
48 begin stone4/stone5 EE e18(1-8) e12(11-4)
49 end stone10/table VF v9 f1
51 end stone4/stone5 EE e18(1-8) e12(11-4)
51 end stone11/table VF v9 f1
53 begin stone6/stone7 VF v8 f6
56 end stone6/stone7 VF v8 f6
62 begin stone10/stone11 VF v8 f6
63 change stone10/stone11 VF v8 f6 -> VF v8 f0
65 end stone10/stone11 VF v8 f0
