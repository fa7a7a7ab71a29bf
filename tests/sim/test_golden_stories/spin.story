wingedge story 1
digest 95534da56e92f726
bodies coin/table
frames 140
first 0
dt 0.016666666666666666

11 begin coin/table VF v11 f1
17 change coin/table VF v11 f1 -> VF v0 f1
24 change coin/table VF v0 f1 -> VF v1 f1
31 change coin/table VF v1 f1 -> VF v2 f1
38 change coin/table VF v2 f1 -> VF v3 f1
45 change coin/table VF v3 f1 -> VF v4 f1
51 change coin/table VF v4 f1 -> VF v5 f1
58 change coin/table VF v5 f1 -> VF v6 f1
65 change coin/table VF v6 f1 -> VF v7 f1
72 change coin/table VF v7 f1 -> VF v8 f1
79 change coin/table VF v8 f1 -> VF v9 f1
85 change coin/table VF v9 f1 -> VF v10 f1
92 change coin/table VF v10 f1 -> VF v11 f1
99 change coin/table VF v11 f1 -> VF v0 f1
106 change coin/table VF v0 f1 -> VF v1 f1
112 change coin/table VF v1 f1 -> VF v2 f1
114 change coin/table VF v2 f1 -> FF f0 f1
129 end coin/table FF f0 f1

numbers b876beb13b3876ee
11 coin/table 0.00879166666667 1.2 0 0 -1 0.251276580727 -0.0501941028589 0.00879166666667
17 coin/table 0.0005 1.2 0 0 -1 0.24828397084 0.11980335029 0.0005
24 coin/table 0.0005 1.2 0 0 -1 0.137217080062 0.256831217496 0.0005
31 coin/table 0.0005 1.2 0 0 -1 -0.0443566543288 0.303012427621 0.0005
38 coin/table 0.0005 1.2 0 0 -1 -0.226854147174 0.226603333663 0.0005
45 coin/table 0.0005 1.2 0 0 -1 -0.330933801433 0.0467942888877 0.0005
51 coin/table 0.0005 1.2 0 0 -1 -0.304228746155 -0.166346509894 0.0005
58 coin/table 0.0005 1.2 0 0 -1 -0.14701375935 -0.326358314955 0.0005
65 coin/table 0.0005 1.2 0 0 -1 0.0826524733024 -0.358683161146 0.0005
72 coin/table 0.0005 1.2 0 0 -1 0.290207129331 -0.240720871303 0.0005
79 coin/table 0.0005 1.2 0 0 -1 0.384461117323 -0.0149304127112 0.0005
85 coin/table 0.0005 1.2 0 0 -1 0.322460946105 0.22025201097 0.0005
92 coin/table 0.0005 1.2 0 0 -1 0.122672476251 0.375302582892 0.0005
99 coin/table 0.0005 1.2 0 0 -1 -0.132877099415 0.373902590832 0.0005
106 coin/table 0.0005 1.2 0 0 -1 -0.335129518854 0.215576671391 0.0005
112 coin/table 0.0005 1.2 0 0 -1 -0.398761689658 -0.0268483071709 0.0005
114 coin/table 0.0005 1.2 0 0 -1
129 coin/table 0.025375 1.2
