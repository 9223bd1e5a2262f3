-- Take from a budget that refills (GCRA): the key holds the moment (ms) at which it will be full again.
-- KEYS counter    ARGV ms for one, the burst, the number to take (negative: to put back)
-- -> taken: 0, or minus how many are left; else the ms until there is enough (nothing is taken then)
-- A request that is repeated because its answer was lost takes twice: the caller waits a little longer.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local every, burst, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
if full - now > burst * every then
  full = now  -- no count reaches that far: the clock was set back, and must shut nobody out
end
full = full + every * amount
local over = full - now - burst * every
if over > 0 then
  return over
end
if full <= now then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', full - now)
end
return math.ceil(over / every)
