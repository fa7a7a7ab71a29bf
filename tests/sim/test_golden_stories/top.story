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

numbers f66826366f1b8bda
11 top/table 0.00879166666667 1.2 0 0 -1 0 0 0.00879166666667
87 top/table 0.0005 1.2 0 0 -1 0.114568459988 0.160806420927 0.0005
93 top/table 0.0005 1.2 0 0 -1 0.153404595067 0.0829584727964 0.0005
101 top/table 0.0005 1.2 0 0 -1 0.14195203367 0.105736131191 0.0005
109 top/table 0.0005 1.2 0 0 -1 0.124922103048 0.138577651127 0.0005
117 top/table 0.025375 1.2
