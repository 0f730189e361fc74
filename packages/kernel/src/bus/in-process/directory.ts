import type { Directory, Holder, NodeId } from '../ports/bus.ts'
import { answerWithin } from '../ports/handlers.ts'
import { LiveClaims } from '../ports/live-claims.ts'
import { checkEpoch, checkSeal } from '../ports/names.ts'
import {
  type DirectoryState,
  type Entry,
  freeAt,
  type HubState,
  holderOf,
  isHeldBy,
  type NodeState,
  resumableUntil,
  whereaboutsOf,
} from './state.ts'

export function inProcessDirectory(hub: HubState, node: NodeState, state: DirectoryState): Directory {
  const { name, options, entries, liveClaims } = state
  const time = () => hub.clock.now().getTime()
  const read = () => {
    node.requireAlive()
    return time()
  }
  const write = (key: string, entry: Entry, now: number) => entries.set(key, entry, freeAt(entry), now)
  const hold = (key: string, epoch: string, seal: string | undefined, expiresAt: number, now: number) => {
    write(key, { kind: 'claim', holder: { node: node.id, epoch }, expiresAt, seal }, now)
    liveClaimsOf(liveClaims, node.id).add(key, { epoch, seal, expiresAt }, now)
  }
  const drop = (key: string, { node: owner, epoch }: Holder) => liveClaims.get(owner)?.remove(key, epoch)
  const bury = (key: string, holder: Holder, now: number, endsAt = now + options.tombstoneMs) => {
    write(key, { kind: 'tombstone', endsAt }, now)
    drop(key, holder)
  }
  const free = (key: string, holder: Holder) => {
    entries.delete(key)
    drop(key, holder)
  }
  return {
    async claim(key, epoch, seal) {
      checkEpoch(epoch)
      if (seal !== undefined) checkSeal(seal)
      const now = read()
      const entry = entries.get(key, now)
      if (entry === undefined) {
        hold(key, epoch, seal, now + options.ttlMs, now)
        return 'claimed'
      }
      const isRepeated = isHeldBy(entry, { node: node.id, epoch }, now)
      return isRepeated && entry.kind === 'claim' && entry.seal === seal ? 'claimed' : 'taken'
    },
    async resume(key, epoch, seal) {
      checkEpoch(epoch)
      checkSeal(seal)
      const now = read()
      const entry = entries.get(key, now)
      const expiresAt = entry === undefined ? now + options.ttlMs : resumableUntil(entry, seal, now)
      if (expiresAt === undefined) return undefined
      if (isHeldBy(entry, { node: node.id, epoch }, now)) return { expiresAt, previous: undefined }
      const previous = holderOf(entry, now)
      if (previous !== undefined) drop(key, previous)
      hold(key, epoch, seal, expiresAt, now)
      return { expiresAt, previous }
    },
    async find(key) {
      const now = read()
      return whereaboutsOf(entries.get(key, now), now)
    },
    async deliver(key, message, deadlineMs) {
      const now = read()
      const holder = whereaboutsOf(entries.get(key, now), now)
      if (holder === undefined) return { outcome: 'absent' }
      if (holder === 'suspended') return { outcome: 'suspended' }
      bury(key, holder, now)
      const receiver = hub.nodes.get(holder.node)
      if (receiver === undefined) return { outcome: 'gone' }
      return answerWithin(receiver.deliveries.answer(name, holder.epoch, message), deadlineMs)
    },
    onDelivery: (handler) => node.deliveries.handle(name, handler),
    async release(key, epoch) {
      const now = read()
      const holder = { node: node.id, epoch }
      const entry = entries.get(key, now)
      if (entry?.kind !== 'claim' || !isHeldBy(entry, holder, now)) return false
      if (entry.seal === undefined) free(key, holder)
      else bury(key, holder, now, entry.expiresAt)
      return true
    },
    async suspend(key, epoch) {
      const now = read()
      const holder = { node: node.id, epoch }
      const entry = entries.get(key, now)
      if (entry?.kind !== 'claim' || !isHeldBy(entry, holder, now)) return false
      if (entry.seal === undefined) {
        free(key, holder)
        return true
      }
      write(key, { kind: 'suspended', expiresAt: entry.expiresAt, seal: entry.seal }, now)
      drop(key, holder)
      return true
    },
    settle(key, epoch) {
      liveClaims.get(node.id)?.remove(key, epoch)
    },
    async count() {
      const now = read()
      let total = 0
      for (const claims of liveClaims.values()) total += claims.count(now)
      return total
    },
    ownCount: () => liveClaims.get(node.id)?.count(time()) ?? 0,
  }
}

function liveClaimsOf(byNode: Map<NodeId, LiveClaims>, node: NodeId): LiveClaims {
  let claims = byNode.get(node)
  if (claims === undefined) {
    claims = new LiveClaims()
    byNode.set(node, claims)
  }
  return claims
}
