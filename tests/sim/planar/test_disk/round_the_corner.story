wingedge story 1
digest 38bcbe57afe85d2e
bodies disk/triangle
frames 142
first 0
dt 0.016666666666666666

30 begin disk/triangle VV v0 v0
35 end disk/triangle VV v0 v0
92 begin disk/triangle VE v0 e2(2-0)
93 penetrate disk/triangle VE v0 e2(2-0)
103 change disk/triangle VE v0 e2(2-0) -> VF v0 f0
111 change disk/triangle VF v0 f0 -> VE v0 e1(1-2)
130 change disk/triangle VE v0 e1(1-2) -> VF v0 f0

numbers 71c07551bae9713d
30 disk/triangle 0 5.8 1 0 0 0 0 0
35 disk/triangle 0.11803398875 5.8
92 disk/triangle 0 4.6 0 1 0 4 0 0
93 disk/triangle -0.1 4.5 0 1 0 4 0.1 0
103 disk/triangle -1.1 4 0 1 0 4 1.1 0
111 disk/triangle -1 4 -0.747409318684 -0.66436383883 0 3.25259068132 0.23563616117 0
130 disk/triangle -1.008304547985 3.1 -0.747409318684 -0.66436383883 0 2.352590681316 1.23563616117 0
