-- Put a process on the list of nodes in the order of their starts: numbers, because clocks step.
-- KEYS births    ARGV process, `name:incarnation`, and its number (0: not known yet)
-- -> {its number, number of processes of its name that started later}
local number = tonumber(ARGV[2])
if number == 0 then
  number = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '0')
end
if number == 0 then
  number = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or '0') + 1
end
redis.call('ZADD', KEYS[1], number, ARGV[1])
local name, later = string.match(ARGV[1], '^[^:]*:'), 0
for _, other in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. number, '+inf')) do
  if string.sub(other, 1, #name) == name then
    later = later + 1
  end
end
return {number, later}
