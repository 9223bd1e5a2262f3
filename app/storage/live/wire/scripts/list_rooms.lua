-- Put rooms' summaries on the lobby's board, or take them off, and number each change so that readers can ask for
-- changes. KEYS summaries, changes, counter    ARGV how many changes are remembered, room, summary ('' takes it off),
-- room, ... -> the last change's number
local number = 0
for at = 2, #ARGV, 2 do
  number = redis.call('INCR', KEYS[3])
  if ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[at])
  else
    redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  end
  redis.call('ZADD', KEYS[2], number, ARGV[at])
end
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[1]))
return number
