-- The round on this page is over: queue it for the archive and start the next page, in one step.
-- KEYS lease, page, log, next log, rounds
-- ARGV my token, this page, the length I expect of its log, the next page's first entry, the finished round or ''
-- -> 1 turned (now or before); 0: fenced; -(length + 1): conflict
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local page = redis.call('GET', KEYS[2])
local length = redis.call('LLEN', KEYS[3])
local after = string.format('%d', tonumber(ARGV[2]) + 1)
if page == ARGV[2] and length == tonumber(ARGV[3]) then
  redis.call('RPUSH', KEYS[4], ARGV[4])
  redis.call('SET', KEYS[2], after)
  redis.call('DEL', KEYS[3])
  if ARGV[5] ~= '' then
    redis.call('HSET', KEYS[5], ARGV[2], ARGV[5])
  end
  return 1
end
if page == after and redis.call('LINDEX', KEYS[4], 0) == ARGV[4] then
  redis.call('SET', KEYS[1], ARGV[1]) -- as in append.lua
  return 1
end
return -1 - length
