wingedge story 1
digest 2065d880fdb5e4e0
bodies top/table
frames 125
first 0
dt 0.016666666666666666

11 begin top/table VF v6 f1
87 change top/table VF v6 f1 -> VF v0 f1
93 change top/table VF v0 f1 -> VF v5 f1
101 change top/table VF v5 f1 -> VF v4 f1
109 change top/table VF v4 f1 -> VF v3 f1
117 end top/table VF v3 f1
