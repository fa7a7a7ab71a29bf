wingedge story 1
digest 285abff5c324c1cf
bodies box/block
frames 16
first 0
dt 0.016666666666666666

5 begin box/block EE e3(1-0) e8(7-8)
5 penetrate box/block EE e3(1-0) e8(7-8)
10 separate box/block EE e3(1-0) e8(7-8)
10 end box/block EE e3(1-0) e8(7-8)

numbers 78337e880dd069b4
5 box/block -0.0461099830143 0.951851851852 -0.031476536038 0 -0.999504491075 0.498548617458 -0.42133822337 0.453912864894
10 box/block 0.119385764296 1.113318518519
