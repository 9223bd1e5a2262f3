-- Note who listens to their events just now, and learn of everybody who does, on any node. By the store's own clock.
-- KEYS listeners    ARGV seconds that it holds, the users of the calling node
-- -> all users who listen
local now = tonumber(redis.call('TIME')[1])
for n = 2, #ARGV do
  redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[n])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1)
