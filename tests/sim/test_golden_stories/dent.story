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

numbers 7560cad60fc50471
11 ball/table 0.00879166666667 1.2 0 0 -1 -0.03529644295 0.03529644295 0.00879166666667
34 ball/table 0.0005 1.2 0 0 -1 -0.0342943009703 -0.102338963486 0.0005
35 ball/table 0.0005 1.2 0 0 -1 0.0973326521046 -0.047129798133 0.0005
44 ball/table 0.0005 1.2 0 0 -1 0.0986412564934 -0.185639582266 0.0005
51 ball/table 0.0005 1.2 0 0 -1 -0.0305409500334 -0.232324606026 0.0005
53 ball/table 0.0005 1.2 0 0 -1 -0.163011992568 -0.0496507095204 0.0005
58 ball/table 0.0005 1.2 0 0 -1 -0.0332263844864 -0.10340687997 0.0005
63 ball/table 0.0005 1.2 0 0 -1 -0.0349874969433 0.0349874969433 0.0005
87 ball/table 0.025375 1.2
