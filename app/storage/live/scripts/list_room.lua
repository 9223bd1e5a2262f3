-- Put a room's summary on the lobby's board, or take it off, and number the change so that readers can ask what is new.
-- KEYS summaries, changes, counter    ARGV room, summary ('' takes it off), how many changes are remembered
-- -> the change's number
local number = redis.call('INCR', KEYS[3])
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
redis.call('ZADD', KEYS[2], number, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
return number
