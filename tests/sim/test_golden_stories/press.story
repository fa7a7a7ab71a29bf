wingedge story 1
digest 56a9ebc2c5134b5a
bodies jelly/table
frames 100
first 0
dt 0.016666666666666666

22 begin jelly/table VF v0 f1
48 change jelly/table VF v0 f1 -> FF f0 f1
49 change jelly/table FF f0 f1 -> VF v0 f1
76 end jelly/table VF v0 f1
