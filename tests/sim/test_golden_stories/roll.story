wingedge story 1
digest de10d4b3a7fb2fad
bodies barrel/table
frames 120
first 0
dt 0.016666666666666666

11 begin barrel/table FF f7 f1
19 change barrel/table FF f7 f1 -> EF e22(6-14) f1
37 change barrel/table EF e22(6-14) f1 -> EF e23(7-15) f1
46 change barrel/table EF e23(7-15) f1 -> EF e17(8-0) f1
53 change barrel/table EF e17(8-0) f1 -> EF e16(1-9) f1
60 change barrel/table EF e16(1-9) f1 -> FF f3 f1
61 change barrel/table FF f3 f1 -> EF e18(2-10) f1
68 change barrel/table EF e18(2-10) f1 -> EF e19(3-11) f1
75 change barrel/table EF e19(3-11) f1 -> EF e20(4-12) f1
84 change barrel/table EF e20(4-12) f1 -> EF e21(5-13) f1
102 change barrel/table EF e21(5-13) f1 -> FF f7 f1
111 end barrel/table FF f7 f1

numbers f8867619dbf5469b
11 barrel/table 0.00879166666667 1.2 0 0 -1
19 barrel/table 0.0005 1.2 0 0 -1
37 barrel/table 0.0005 1.2 0 0 -1
46 barrel/table 0.0005 1.2 0 0 -1
53 barrel/table 0.0005 1.2 0 0 -1
60 barrel/table 0.0005 1.2 0 0 -1
61 barrel/table 0.0005 1.2 0 0 -1
68 barrel/table 0.0005 1.2 0 0 -1
75 barrel/table 0.0005 1.2 0 0 -1
84 barrel/table 0.0005 1.2 0 0 -1
102 barrel/table 0.0005 1.2 0 0 -1
111 barrel/table 0.025375 1.2
