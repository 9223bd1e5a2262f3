-- Changes on the lobby's board after a number; the whole board, when that number is too old.
-- KEYS summaries, changes, counter    ARGV the number seen last (0: none)
-- -> {number now, 1 when this is everything, room, summary ('' gone), room, summary, ...}
local now = tonumber(redis.call('GET', KEYS[3]) or '0')
local seen = tonumber(ARGV[1])
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local news = {now, 0}
if seen == 0 or seen > now or (oldest and tonumber(oldest) > seen + 1) then
  news[2] = 1
  for _, word in ipairs(redis.call('HGETALL', KEYS[1])) do
    news[#news + 1] = word
  end
  return news
end
for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. seen, '+inf')) do
  news[#news + 1] = room
  news[#news + 1] = redis.call('HGET', KEYS[1], room) or ''
end
return news
