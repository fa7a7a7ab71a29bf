wingedge story 1
digest 788706f887ba03ac
bodies grain/plate
frames 95
first 0
dt 0.016666666666666666

11 begin grain/plate VF v35 f1
16 change grain/plate VF v35 f1 -> VF v36 f1
22 change grain/plate VF v36 f1 -> VF v8 f1
26 change grain/plate VF v8 f1 -> VF v28 f1
28 change grain/plate VF v28 f1 -> VF v40 f1
31 change grain/plate VF v40 f1 -> VF v29 f1
37 change grain/plate VF v29 f1 -> VF v31 f1
44 change grain/plate VF v31 f1 -> VF v30 f1
50 change grain/plate VF v30 f1 -> VF v32 f1
55 change grain/plate VF v32 f1 -> VF v11 f1
61 change grain/plate VF v11 f1 -> VF v41 f1
67 change grain/plate VF v41 f1 -> VF v10 f1
73 change grain/plate VF v10 f1 -> VF v39 f1
78 change grain/plate VF v39 f1 -> VF v35 f1
87 end grain/plate VF v35 f1
