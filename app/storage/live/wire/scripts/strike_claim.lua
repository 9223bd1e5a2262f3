-- Take a user off the list of those who are claimed for a table, unless the table has a later owner by now.
-- KEYS lease, claims    ARGV the user, the epoch of the owner who says so ('' for whoever)
-- -> 1 he is off the list, 0 that is not for this owner to say any more
local token = redis.call('GET', KEYS[1])
if token and ARGV[2] ~= '' and tonumber(string.match(token, '^(%d+):')) > tonumber(ARGV[2]) then
  return 0
end
redis.call('SREM', KEYS[2], ARGV[1])
return 1
