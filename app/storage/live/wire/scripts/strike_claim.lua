-- Take a user off the list of those who are claimed for a table, unless the table has a later owner by now.
-- KEYS lease, claims    ARGV the user, the epoch of the calling owner ('': unconditional)
-- -> 1 the user is off the list, 0 the table has a later owner
local token = redis.call('GET', KEYS[1])
if token and ARGV[2] ~= '' and tonumber(string.match(token, '^(%d+):')) > tonumber(ARGV[2]) then
  return 0
end
redis.call('SREM', KEYS[2], ARGV[1])
return 1
