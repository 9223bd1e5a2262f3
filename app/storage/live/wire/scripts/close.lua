-- The table ends: its log goes, a finished round and the note of the end are queued for the archive, a tombstone stays
-- for a while.
-- KEYS lease, page, rounds
-- ARGV my token, life of the tombstone in s, the finished round or '', prefix of the names of logs, the note
-- -> 1 closed (now or before), 0: fenced
local stands = redis.call('GET', KEYS[1])
local tombstone = ARGV[1] .. ':closed'
if stands == tombstone then
  redis.call('SET', KEYS[1], tombstone, 'KEEPTTL') -- as in append.lua
  return 1
end
if stands ~= ARGV[1] then
  return 0
end
local page = redis.call('GET', KEYS[2]) or '0'
redis.call('HSET', KEYS[3], 'end', ARGV[5])
redis.call('SET', KEYS[1], tombstone, 'EX', ARGV[2])
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[3], page, ARGV[3])
end
redis.call('DEL', KEYS[2], ARGV[4] .. page)
return 1
