wingedge story 1
digest cdef579149492471
bodies disk/triangle
frames 628
first 0
dt 0.016666666666666666

133 begin disk/triangle VV v0 v2
134 penetrate disk/triangle VV v0 v2
155 change disk/triangle VV v0 v2 -> VE v0 e2(2-0)
220 change disk/triangle VE v0 e2(2-0) -> VV v0 v2
241 separate disk/triangle VV v0 v2
243 end disk/triangle VV v0 v2

numbers 484bdbc364a289d0
133 disk/triangle 0.012 3.6 1 0 0 -0.3 0 0
134 disk/triangle -0.036 3.6 1 0 0 -0.3 0 0
155 disk/triangle -1 3.6 0 1 0 -1.3 1 0
220 disk/triangle -0.996 3.6 1 0 0 -0.3 0 0
241 disk/triangle 0.012 3.6 1 0 0 -0.3 0 0
243 disk/triangle 0.108 3.6
