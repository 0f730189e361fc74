import type { Holder, NodeId, Resumed, Whereabouts } from '../ports/bus.ts'
import { leaseKey, nodeChannelName } from './keys.ts'

/**
 * Every script but `deliver` touches one key, so that each works on a cluster and is atomic there too.
 * The rules of `in-process/state.ts` and `ports/gcra.ts`, in Lua; a property test holds the two forms together.
 */

/**
 * The forms of `formatClaim`; of a suspended claim, `node` is the seal and `epoch` is empty.
 * Times are base 36 and a tombstone is its end alone: at ten million keys every byte is ten megabytes.
 */
const READ_CLAIM = `
local entry = redis.call('GET', KEYS[1])
local expires, node, epoch, seal
if entry then expires, node, epoch, seal = string.match(entry, '^(%w+) (%S+) ?(%S*) ?(%S*)$') end
local now = tonumber(ARGV[1])
local live = expires and tonumber(expires, 36) > now
`

/** Answers false for a key that cannot be claimed yet. */
const REFUSE_UNLESS_FREE = `
if entry and tonumber(expires or entry, 36) > now then return false end
`

/** now, "node epoch seal", expiresAt in base 36, garbage collection after → when it expires, or false: taken. */
const claim = `${READ_CLAIM}
if live and entry == expires .. ' ' .. ARGV[2] then return expires end
${REFUSE_UNLESS_FREE}
redis.call('SET', KEYS[1], ARGV[3] .. ' ' .. ARGV[2], 'PX', ARGV[4])
return ARGV[3]
`

/**
 * now, node, epoch, seal, and of a fresh claim: expiresAt in base 36, garbage collection after
 * → when it expires, with "node epoch" after it if somebody else held it; or false.
 */
const resume = `${READ_CLAIM}
local mine = ' ' .. ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4]
if live then
  local suspended = epoch == ''
  if (suspended and node or seal) ~= ARGV[4] then return false end
  if entry == expires .. mine then return expires end
  redis.call('SET', KEYS[1], expires .. mine, 'KEEPTTL')
  return suspended and expires or expires .. ' ' .. node .. ' ' .. epoch
end
${REFUSE_UNLESS_FREE}
redis.call('SET', KEYS[1], ARGV[5] .. mine, 'PX', ARGV[6])
return ARGV[5]
`

/**
 * now, tombstone's end in base 36, tombstoneMs → "node epoch", false: nothing there, 2: suspended.
 * The first step of a delivery in a cluster.
 */
const take = `${READ_CLAIM}
if not live then return false end
if epoch == '' then return 2 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return node .. ' ' .. epoch
`

/** Inside a Lua string: ends it, and puts the holder there. */
const NODE = `' .. node .. '`

/**
 * Any number of keys. now, tombstone's end in base 36, tombstoneMs, asking node, the frame's head, and for each key what
 * comes before and after its epoch → for each key -1: nothing there, 2: suspended, 1: on its way, 0: the holder is gone,
 * or the epoch when the asking node itself is the holder. For one server only: it uses the holders' leases and channels.
 */
const deliver = `
local now = tonumber(ARGV[1])
local outcomes, frames = {}, {}
for i = 1, #KEYS do
  local entry = redis.call('GET', KEYS[i])
  local expires, node, epoch
  if entry then expires, node, epoch = string.match(entry, '^(%w+) (%S+) ?(%S*)') end
  if not expires or tonumber(expires, 36) <= now then
    outcomes[i] = -1
  elseif epoch == '' then
    outcomes[i] = 2
  else
    redis.call('SET', KEYS[i], ARGV[2], 'PX', ARGV[3])
    if node == ARGV[4] then
      outcomes[i] = epoch
    else
      local frame = frames[node]
      if not frame then
        frame = { texts = { ARGV[5] }, places = {} }
        frames[node] = frame
      end
      frame.texts[#frame.texts + 1] = ARGV[4 + 2 * i] .. epoch .. ARGV[5 + 2 * i]
      frame.places[#frame.places + 1] = i
    end
  end
end
for node, frame in pairs(frames) do
  local heard = redis.call('EXISTS', '${leaseKey(NODE)}')
  if heard == 1 then
    heard = math.min(1, redis.call('PUBLISH', '${nodeChannelName(NODE)}', table.concat(frame.texts)))
  end
  for _, i in ipairs(frame.places) do outcomes[i] = heard end
end
return outcomes
`

/** now, node, epoch → 1, or 0: held by somebody else or nobody. With a seal, `kept` stays until the claim would have ended. */
const giveUp = (kept: string) => `${READ_CLAIM}
if not live or epoch == '' or node ~= ARGV[2] or epoch ~= ARGV[3] then return 0 end
if seal == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ${kept}, 'KEEPTTL')
end
return 1
`
const release = giveUp('expires')
const suspend = giveUp("expires .. ' ' .. seal")

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
  | 'resume'
  | 'take'
  | 'deliver'
  | 'release'
  | 'suspend'
  | 'hit'
  | 'send'
  | 'announce'
  | 'census'
  | 'enter'
  | 'evict'

export function scripts(sharded: boolean): Record<ScriptName, string> {
  return {
    claim,
    resume,
    take,
    deliver,
    release,
    suspend,
    hit,
    send: send(sharded ? 'SPUBLISH' : 'PUBLISH'),
    announce,
    census,
    enter,
    evict,
  }
}

/**
 * What stands under a directory key, as the scripts read and write it: `end node epoch` or `end node epoch seal` for
 * a claim, `end seal` for a suspended one, `end` for a tombstone. Ends are base 36.
 */
export function formatClaim(node: NodeId, epoch: string, seal: string | undefined): string {
  return seal === undefined ? `${node} ${epoch}` : `${node} ${epoch} ${seal}`
}

/** `node epoch`, as `take` answers. */
export function readHolder(taken: unknown): Holder | undefined {
  if (typeof taken !== 'string') return undefined
  const space = taken.indexOf(' ')
  return { node: taken.slice(0, space), epoch: taken.slice(space + 1) }
}

/** `end` or `end node epoch`, as `resume` answers. */
export function readResumed(answer: unknown): Resumed | undefined {
  if (typeof answer !== 'string') return undefined
  const space = answer.indexOf(' ')
  if (space === -1) return { expiresAt: Number.parseInt(answer, 36), previous: undefined }
  const expiresAt = Number.parseInt(answer.slice(0, space), 36)
  return { expiresAt, previous: readHolder(answer.slice(space + 1)) }
}

export function readWhereabouts(stored: string, now: number): Whereabouts {
  const [end = '', node, epoch] = stored.split(' ')
  if (node === undefined || Number.parseInt(end, 36) <= now) return undefined
  return epoch === undefined ? 'suspended' : { node, epoch }
}

/** What the script `take` wants to know: now, the tombstone's end, its lifetime. */
export type Taking = readonly [now: number, tombstoneEnd: string, tombstoneMs: number]
