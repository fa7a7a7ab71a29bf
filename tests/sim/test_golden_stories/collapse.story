wingedge story 1
digest 7b94c96b3d0508d4
bodies block/table
frames 130
first 0
dt 0.016666666666666666

11 begin block/table VF v1 f1
36 collapsed block
36 change block/table VF v1 f1 -> EF e8(1-5) f1
54 change block/table EF e8(1-5) f1 -> VF v1 f1
72 change block/table VF v1 f1 -> VF v0 f1
79 change block/table VF v0 f1 -> VF v1 f1
85 change block/table VF v1 f1 -> EF e8(1-5) f1
97 expanded block
97 change block/table EF e8(1-5) f1 -> VF v1 f1
123 end block/table VF v1 f1

numbers 78e577bdb15e90d8
11 block/table 0.00879166666667 1.2 0 0 -1 0.363710244836 -0.267877631233 0.00879166666667
36 block/table 0.0005 1.2 0 0 -1
54 block/table 0.0005 1.2 0 0 -1 0.387679277087 0.0206102709403 0.0005
72 block/table 0.0005 1.2 0 0 -1 0 0 0.0005
79 block/table 0.0005 1.2 0 0 -1 0.0319390900038 0.00209320303507 0.0005
85 block/table 0.0005 1.2 0 0 -1
97 block/table 0.0005 1.2 0 0 -1 0.382708465582 -0.265759933606 0.0005
123 block/table 0.025375 1.2
