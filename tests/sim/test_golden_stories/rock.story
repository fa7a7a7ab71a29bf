wingedge story 1
digest 2b4decbc8401e911
bodies legs/table
frames 105
first 0
dt 0.016666666666666666

11 begin legs/table FF f8 f1
13 change legs/table FF f8 f1 -> VF v2 f1
42 change legs/table VF v2 f1 -> FF f8 f1
43 change legs/table FF f8 f1 -> VF v7 f1
68 change legs/table VF v7 f1 -> VF v2 f1
87 end legs/table VF v2 f1

numbers 09feac05b21366e8
11 legs/table 0.00879166666667 1.2 0 0 -1
13 legs/table 0.0005 1.2 0 0 -1 0.598752872485 -0.249801199201 0.0005
42 legs/table 0.0005 1.2 0 0 -1
43 legs/table 0.0005 1.2 0 0 -1 -0.598126813058 -0.249701954195 0.0005
68 legs/table 0.0005 1.2 0 0 -1 0.598440050563 -0.24975156372 0.0005
87 legs/table 0.025375 1.2
