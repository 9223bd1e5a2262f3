-- Append one entry to the current log of a table that I own. The checks and their order: see README.md.
-- KEYS lease, log    ARGV my token, the length I expect (1 or more: an append never makes a log), the entry
-- -> the new length; 0: fenced, the token is not mine; -(length + 1): conflict
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local length = redis.call('LLEN', KEYS[2])
local expected = tonumber(ARGV[2])
if length == expected then
  return redis.call('RPUSH', KEYS[2], ARGV[3])
end
if length == expected + 1 and redis.call('LINDEX', KEYS[2], -1) == ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[1]) -- changes nothing; lets a WAIT that follows cover this entry on a new connection
  return length
end
return -1 - length
