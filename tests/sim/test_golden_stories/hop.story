wingedge story 1
digest ccdb19c7a7bf34fb
bodies pillar/table
frames 100
first 0
dt 0.016666666666666666

5 begin pillar/table FF f0 f1
46 convexity_lost pillar e30(18-17) 0.00497955
53 end pillar/table FF f0 f1
67 convexity_restored pillar

numbers df31fd7e6ddf74e3
5 pillar/table 0.00875 1.2 0 0 -1
53 pillar/table 0.0336666666667 1.2
