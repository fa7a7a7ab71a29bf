wingedge story 1
digest 78315358ba9c72ae
bodies jelly/table
frames 160
first 0
dt 0.016666666666666666

37 begin jelly/table VF v35 f1
41 penetrate jelly/table VF v35 f1
62 change jelly/table VF v35 f1 -> VF v74 f1
64 change jelly/table VF v74 f1 -> VF v156 f1
65 separate jelly/table VF v156 f1
67 change jelly/table VF v156 f1 -> VF v75 f1
72 change jelly/table VF v75 f1 -> VF v144 f1
79 change jelly/table VF v144 f1 -> VF v143 f1
83 change jelly/table VF v143 f1 -> VF v59 f1
87 change jelly/table VF v59 f1 -> VF v3 f1
92 change jelly/table VF v3 f1 -> VF v58 f1
96 change jelly/table VF v58 f1 -> VF v141 f1
99 change jelly/table VF v141 f1 -> VF v142 f1
104 change jelly/table VF v142 f1 -> EE e285(65-142) e5(5-7)
120 change jelly/table EE e285(65-142) e5(5-7) -> EE e289(141-142) e5(5-7)
131 end jelly/table EE e289(141-142) e5(5-7)
