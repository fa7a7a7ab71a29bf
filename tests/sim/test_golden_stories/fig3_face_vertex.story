wingedge story 1
digest 832751f52dbc450c
bodies corner/ground
frames 75
first 0
dt 0.016666666666666666

14 begin corner/ground VF v0 f1
60 end corner/ground VF v0 f1

numbers eac2e3b0a5b8324e
14 corner/ground 0.00431585185185 0.7 0 0 -1 -0.221131281866 -0.133563258301 0.204315851852
60 corner/ground 0.031648 0.7
