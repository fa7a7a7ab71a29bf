wingedge story 1
digest cf36caba04f9d74a
bodies block/table
frames 115
first 0
dt 0.016666666666666666

11 begin block/table VF v1 f1
69 change block/table VF v1 f1 -> EE e2(3-1) e5(5-7)
72 end block/table EE e2(3-1) e5(5-7)
