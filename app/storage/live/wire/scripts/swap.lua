-- Compare and set, or delete: the value must still be the one that was seen.
-- KEYS key    ARGV the value that was seen ('' for none), the new value ('' to delete), life in s (0: for ever)
-- -> 1 swapped (now or before), 0 something else stands there
local stands = redis.call('GET', KEYS[1]) or ''
if stands ~= ARGV[1] then
  if stands ~= ARGV[2] then
    return 0
  end
  if stands ~= '' then
    redis.call('SET', KEYS[1], stands, 'KEEPTTL') -- as in append.lua
  end
  return 1
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
elseif ARGV[3] == '0' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
end
return 1
