wingedge story 1
digest 6d118f5dc97a8896
bodies bar/table
frames 110
first 0
dt 0.016666666666666666

11 begin bar/table VF v51 f1
19 convexity_lost bar f15 0.000162963
35 change bar/table VF v51 f1 -> VF v49 f1
83 change bar/table VF v49 f1 -> VF v51 f1
90 convexity_restored bar
99 end bar/table VF v51 f1
