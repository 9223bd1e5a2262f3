-- Free a user's seat at a table, unless a later owner of the table has claimed it since: this call may be late.
-- KEYS seat, epoch    ARGV the table, the epoch of the calling owner ('': unconditional)
-- -> 1 the seat is free (now or before), 0 the claim stands
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 1
end
if ARGV[2] ~= '' and tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[2]) then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2])
return 1
