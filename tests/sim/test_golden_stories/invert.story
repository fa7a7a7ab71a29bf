wingedge story 1
digest 6b576250c104ee7e
bodies pyramid/table
frames 120
first 0
dt 0.016666666666666666

11 begin pyramid/table FF f0 f1
19 change pyramid/table FF f0 f1 -> VF v0 f1
38 inverted pyramid
40 change pyramid/table VF v0 f1 -> VF v5 f1
81 change pyramid/table VF v5 f1 -> VF v0 f1
83 upright pyramid
102 change pyramid/table VF v0 f1 -> FF f0 f1
111 end pyramid/table FF f0 f1
