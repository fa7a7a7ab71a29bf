wingedge story 1
digest cc510553555cda10
bodies block/table
frames 100
first 0
dt 0.016666666666666666

12 begin block/table VF v1 f1
49 change block/table VF v1 f1 -> VE v1 e5(5-7)
80 end block/table VE v1 e5(5-7)

numbers bf36c8955d4c1c67
12 block/table 0.006 1.2 0 0 -1 1.1 -0.146149275164 0.006
49 block/table 0.006 1.200000000833 -1.38889e-07 0 -1 1.200000000833 -0.146149275164 0.006
80 block/table 0.0216666666667 1.20000001
