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
