wingedge story 1
digest 163c5c9fb194f495
bodies arch/table
frames 80
first 0
dt 0.016666666666666666

5 begin arch/table FF f0 f1
5 birth arch/table #0 FF f0 f1
13 birth arch/table #1 FF f11 f1
27 birth arch/table #2 EF e17(19-6) f1
34 merge arch/table #0+#1+#2 -> #0
45 split arch/table #0 -> #0+#3+#4
52 death arch/table #0 EF e17(19-6) f1
66 death arch/table #3 FF f11 f1
74 death arch/table #4 FF f0 f1
75 end arch/table FF f0 f1

numbers c14c6f5316622e3d
5 arch/table 0.008363226104 1.2 0 0 -1
75 arch/table 0.0250099960032 1.2
