wingedge story 1
digest 8ba3920f2c403d50
bodies bar/table
frames 110
first 0
dt 0.016666666666666666

11 begin bar/table VF v51 f1
19 convexity_lost bar e74(47-39) 0.000162963
35 change bar/table VF v51 f1 -> VF v49 f1
83 change bar/table VF v49 f1 -> VF v51 f1
90 convexity_restored bar
99 end bar/table VF v51 f1

numbers 5d0f24238cfdadd6
11 bar/table 0.00879166666667 1.2 0 0 -1 0.462720401354 -0.134275612295 0.00879166666667
35 bar/table 0.0005 1.2 0 0 -1 0.463786633075 -0.141275925091 0.0005
83 bar/table 0.0005 1.2 0 0 -1 0.464071664408 0.143046922163 0.0005
99 bar/table 0.025375 1.2
