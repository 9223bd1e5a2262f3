-- Keep a ticket, and with it the mark that the last voiding of its owner's tickets left: a later one tells it is void.
-- KEYS mark, ticket    ARGV what the ticket says, life in s    -> 1
redis.call('SET', KEYS[2], (redis.call('GET', KEYS[1]) or '') .. '\n' .. ARGV[1], 'EX', ARGV[2])
return 1
