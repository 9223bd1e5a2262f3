-- Count somebody among those who claim a seat at a table, while there are seats.
-- KEYS members    ARGV user, wished seat ('' none), seats there are for people
-- -> 1 he is among them (now or before), 0 all seats are claimed
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
