-- Put a process on the list of nodes in the order of birth: numbers, because clocks step.
-- KEYS births    ARGV process, its number (0: not known yet)    -> its number
local number = tonumber(ARGV[2])
if number == 0 then
  number = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '0')
end
if number == 0 then
  number = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or '0') + 1
end
redis.call('ZADD', KEYS[1], number, ARGV[1])
return number
