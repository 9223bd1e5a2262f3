-- Use a ticket up.
-- KEYS mark, ticket    -> what it says; '' when it is void; nil when there is none
local kept = redis.call('GETDEL', KEYS[2])
if not kept then
  return false
end
local mark, ticket = string.match(kept, '^([^\n]*)\n(.*)$')
local now = redis.call('GET', KEYS[1])
return (now and now ~= mark) and '' or ticket
