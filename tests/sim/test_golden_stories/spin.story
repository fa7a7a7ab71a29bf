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
