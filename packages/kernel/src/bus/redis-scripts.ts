/**
 * Every script touches one key, so that each works on a cluster and is atomic there too.
 * The rules of `claim.ts` and `gcra.ts`, in Lua; a property test holds the two forms together.
 */

/** Times are base 36 and a tombstone is its end alone: at ten million keys every byte is ten megabytes. */
const READ_CLAIM = `
local entry = redis.call('GET', KEYS[1])
local expires, node, epoch
if entry then expires, node, epoch = string.match(entry, '^(%w+) (%S+) (.+)$') end
local now = tonumber(ARGV[1])
local live = expires and tonumber(expires, 36) > now
`

/** now, tombstoneMs, node, epoch, expiresAt in base 36, garbage collection after → when it expires, or false: taken. */
const claim = `${READ_CLAIM}
if live and node == ARGV[3] and epoch == ARGV[4] then return expires end
if entry then
  local freeAt = expires and tonumber(expires, 36) + tonumber(ARGV[2]) or tonumber(entry, 36)
  if freeAt > now then return false end
end
redis.call('SET', KEYS[1], ARGV[5] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4], 'PX', ARGV[6])
return ARGV[5]
`

/** now, tombstone's end in base 36, tombstoneMs → "node epoch" or false. */
const take = `${READ_CLAIM}
if not live then return false end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return node .. ' ' .. epoch
`

/** now, tombstone's end in base 36, tombstoneMs, node, epoch → 1 or 0. */
const release = `${READ_CLAIM}
if not live or node ~= ARGV[4] or epoch ~= ARGV[5] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`

/** now, interval, burst, grace before garbage collection → {allowed, fullAt}; all in microseconds but the grace. */
const hit = `
local now, interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = tonumber(redis.call('GET', KEYS[1]) or now)
local fullAt = math.max(stored, now) + interval
if fullAt - burst > now then return {0, fullAt} end
redis.call('SET', KEYS[1], string.format('%.0f', fullAt), 'PX', math.ceil((fullAt - now) / 1000) + tonumber(ARGV[4]))
return {1, fullAt}
`

/** Looks at the lease and publishes in one step: channel, message → 1, or 0 for a node that is gone. */
const send = (publish: 'PUBLISH' | 'SPUBLISH') => `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('${publish}', ARGV[1], ARGV[2])
return 1
`

const SERVER_TIME = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** node, leaseMs, counts, keepMs: announces the node to the census. */
const announce = `${SERVER_TIME}
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[2]) .. ' ' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`

/** → {node, counts, …} of the live nodes; dead ones are dropped on the way. */
const census = `${SERVER_TIME}
local live, all = {}, redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local ends, counts = string.match(all[i + 1], '^(%d+) (.*)$')
  if ends and tonumber(ends) > now then
    live[#live + 1] = all[i]
    live[#live + 1] = counts
  else
    redis.call('HDEL', KEYS[1], all[i])
  end
end
return live
`

/** roomMs, field, value, field, value, … */
const enter = `
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`

/** field, value, …: removes the members that are still as they were seen, not those that were written anew since. */
const evict = `
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
return 1
`

export type ScriptName =
  | 'claim'
  | 'take'
  | 'release'
  | 'hit'
  | 'send'
  | 'announce'
  | 'census'
  | 'enter'
  | 'evict'

export function scripts(sharded: boolean): Record<ScriptName, string> {
  return {
    claim,
    take,
    release,
    hit,
    send: send(sharded ? 'SPUBLISH' : 'PUBLISH'),
    announce,
    census,
    enter,
    evict,
  }
}
