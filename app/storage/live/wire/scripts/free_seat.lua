-- A user sits at a table no longer, unless a later owner of the table has claimed him since: who says so may be late.
-- KEYS seat, epoch    ARGV the table, the epoch of the owner who says so ('' for whoever)
-- -> 1 he does not (now or before), 0 the claim stands
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 1
end
if ARGV[2] ~= '' and tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[2]) then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2])
return 1
