import { checkEpoch, type Entry, freeAt, holderOf, isHeldBy } from './claim.ts'
import { ClaimLedger } from './claim-ledger.ts'
import type { DirectoryState, HubState, NodeState } from './in-process-state.ts'
import type { Directory, NodeId } from './ports.ts'

export function inProcessDirectory(hub: HubState, node: NodeState, state: DirectoryState): Directory {
  const { options, entries, ledgers } = state
  const read = () => {
    node.requireAlive()
    return hub.clock.now().getTime()
  }
  const write = (key: string, entry: Entry, now: number) =>
    entries.set(key, entry, freeAt(entry, options), now)
  const bury = (key: string, owner: NodeId, now: number) => {
    write(key, { kind: 'tombstone', endsAt: now + options.tombstoneMs }, now)
    ledgers.get(owner)?.remove(key)
  }
  return {
    async claim(key, epoch) {
      checkEpoch(epoch)
      const now = read()
      const holder = { node: node.id, epoch }
      const entry = entries.get(key, now)
      if (entry !== undefined) return isHeldBy(entry, holder, now) ? 'claimed' : 'taken'
      const expiresAt = now + options.ttlMs
      write(key, { kind: 'claim', holder, expiresAt }, now)
      ledgerOf(ledgers, node.id).add(key, epoch, expiresAt, now)
      return 'claimed'
    },
    async take(key) {
      const now = read()
      const holder = holderOf(entries.get(key, now), now)
      if (holder !== undefined) bury(key, holder.node, now)
      return holder
    },
    async release(key, epoch) {
      const now = read()
      if (!isHeldBy(entries.get(key, now), { node: node.id, epoch }, now)) return false
      bury(key, node.id, now)
      return true
    },
    settle(key) {
      ledgers.get(node.id)?.remove(key)
    },
    async count() {
      const now = read()
      let total = 0
      for (const ledger of ledgers.values()) total += ledger.count(now)
      return total
    },
  }
}

function ledgerOf(ledgers: Map<NodeId, ClaimLedger>, node: NodeId): ClaimLedger {
  let ledger = ledgers.get(node)
  if (ledger === undefined) {
    ledger = new ClaimLedger()
    ledgers.set(node, ledger)
  }
  return ledger
}
