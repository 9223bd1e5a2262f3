-- A user's one seat is for a table: called by the table's owner. Repeated, it keeps the newest owner's epoch.
-- KEYS seat, epoch    ARGV the table that was seen ('' for none), the table, the owner's epoch
-- -> 1 it is (now or before), 0 another table stands there
local stands = redis.call('GET', KEYS[1]) or ''
if stands ~= ARGV[1] and stands ~= ARGV[2] then
  return 0
end
local epoch = tonumber(ARGV[3])
if stands == ARGV[2] then
  epoch = math.max(epoch, tonumber(redis.call('GET', KEYS[2]) or '0'))
end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], string.format('%d', epoch))
return 1
