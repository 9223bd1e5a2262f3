-- Give a table up: the epoch stays, so that nothing of mine that is still under way can fit again.
-- KEYS lease    ARGV my token    -> 1 given up (now or before), 0 it was not mine
local stands = redis.call('GET', KEYS[1])
local free = string.match(ARGV[1], '^(%d+):') .. ':free'
if stands == ARGV[1] or stands == free then
  redis.call('SET', KEYS[1], free) -- also my own retry: as in append.lua
  return 1
end
return 0
