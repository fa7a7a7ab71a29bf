wingedge story 1
digest c33c2345ede5e6ce
bodies bar/log
frames 112
first 0
dt 0.016666666666666666

17 begin bar/log FE f0 e27(3-15)
19 convexity_lost bar e17(17-6) 0.000118141
19 change bar/log FE f0 e27(3-15) -> EE e18(6-5) e27(3-15)
96 convexity_restored bar
96 change bar/log EE e18(6-5) e27(3-15) -> FE f0 e27(3-15)
99 end bar/log FE f0 e27(3-15)

numbers f8194a335dc56b26
17 bar/log 0.0057475994513 1.04 0 0 -1
19 bar/log 0.00398960303427 0.70547154663 -0.000118141289 -4.728174e-06 -0.99999999301 0.00800474149089 -0.2 0.603989603006
96 bar/log 0.004 1.04 0 0 -1
99 bar/log 0.034625 1.04
