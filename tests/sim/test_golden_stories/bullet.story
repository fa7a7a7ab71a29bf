wingedge story 1
digest 53e42d180b1f5900
bodies ball/left/right
frames 60
first 0
dt 0.016666666666666666

3 begin ball/right VF v40 f4
4 change ball/right VF v40 f4 -> EF e119(20-19) f4
12 change ball/right EF e119(20-19) f4 -> VF v40 f4
36 end ball/right VF v40 f4

numbers f3733a28a131422f
3 ball/right 0.00992821734877 1.5 1 0 0 19.98007178265 -0.153397923223 0
4 ball/right 0.0099482802321 1.5 1 0 0
12 ball/right 0.0123182372435 1.5 1 0 0 19.977681762756 -0.0784104075078 0
36 ball/right 0.0202469216467 1.5
