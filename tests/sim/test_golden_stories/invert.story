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

numbers 12f311f135e8812f
11 pyramid/table 0.00879166666667 1.2 0 0 -1
19 pyramid/table 0.0005 1.2 0 0 -1 0.49994444573 2.77771347796e-05 0.0005
40 pyramid/table 0.0005 1.2 0 0 -1 -0.0236927001974 0.0118463500987 0.0005
81 pyramid/table 0.0005 1.2 0 0 -1 0.492026631136 0.00398668443175 0.0005
102 pyramid/table 0.0005 1.2 0 0 -1
111 pyramid/table 0.025375 1.2
