-- Take a table: swap the owner's token and hand over the whole current log in the same step.
-- KEYS lease, page    ARGV the token that was seen, the nonce of this acquisition, prefix of the names of logs
-- -> {token, page, entries} when taken; {} when another node was faster, or the table is closed or was never there
local stands = redis.call('GET', KEYS[1])
if not stands or string.match(stands, ':closed$') then
  return {}
end
local token = stands
if stands == ARGV[1] then
  token = string.format('%d:%s', tonumber(string.match(stands, '^(%d+):')) + 1, ARGV[2])
elseif string.match(stands, '^%d+:(.*)$') ~= ARGV[2] then
  return {}
end -- else the nonce is mine: this is my own retry, and writes as in append.lua
redis.call('SET', KEYS[1], token)
-- A page or a log that is of a wrong type is handed over as none: its new owner puts the table aside.
local page = redis.pcall('GET', KEYS[2]) or '0'
if type(page) ~= 'string' then
  return {token, '0', {}}
end
local entries = redis.pcall('LRANGE', ARGV[3] .. page, 0, -1)
return {token, page, entries.err and {} or entries}
