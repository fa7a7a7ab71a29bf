wingedge story 1
digest ff3aec6328e89728
bodies ball/table
frames 100
first 0
dt 0.016666666666666666

11 begin ball/table VF v35 f1
29 convexity_lost ball e97(92-95) 0.000605217
34 change ball/table VF v35 f1 -> VF v74 f1
35 change ball/table VF v74 f1 -> VF v156 f1
44 change ball/table VF v156 f1 -> VF v75 f1
51 change ball/table VF v75 f1 -> VF v6 f1
53 change ball/table VF v6 f1 -> VF v157 f1
58 change ball/table VF v157 f1 -> VF v74 f1
63 change ball/table VF v74 f1 -> VF v35 f1
68 convexity_restored ball
87 end ball/table VF v35 f1
