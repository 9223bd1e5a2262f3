-- A new table: its first token and the first page with its first entry.
-- KEYS lease, page, log    ARGV token, the page's number, first entry
-- -> 1 created (now or before), 0 there is, or lately was, a table of this id
local stands = redis.call('GET', KEYS[1])
if not stands then
  redis.call('RPUSH', KEYS[3], ARGV[3])
  redis.call('SET', KEYS[1], ARGV[1])
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
end
if stands == ARGV[1] and redis.call('LINDEX', KEYS[3], 0) == ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[1]) -- as in append.lua
  return 1
end
return 0
