-- Keep a ticket, and with it the mark that the last voiding left on its owner: a later one tells it is void.
-- KEYS mark, ticket, seat    ARGV what the ticket says, life in s, the table where he must hold his seat ('': none),
-- '1': nobody else was asked about him, so there may be no mark    -> 1; 0 when that is not so
local mark = redis.call('GET', KEYS[1])
if (mark and ARGV[4] == '1') or (ARGV[3] ~= '' and redis.call('GET', KEYS[3]) ~= ARGV[3]) then
  return 0
end
redis.call('SET', KEYS[2], (mark or '') .. '\n' .. ARGV[1], 'EX', ARGV[2])
return 1
