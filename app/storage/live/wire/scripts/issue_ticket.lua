-- Keep a ticket, and with it the mark that the last voiding left on its owner: a later one voids it.
-- KEYS mark, ticket, seat    ARGV the ticket, life in s, the table at which the user must hold a seat ('': none),
-- '1': the archive was not asked, so a mark refuses    -> 1 issued, 0 refused
local mark = redis.call('GET', KEYS[1])
if (mark and ARGV[4] == '1') or (ARGV[3] ~= '' and redis.call('GET', KEYS[3]) ~= ARGV[3]) then
  return 0
end
redis.call('SET', KEYS[2], (mark or '') .. '\n' .. ARGV[1], 'EX', ARGV[2])
return 1
