import type { Clock } from '../clock/index.ts'
import { checkDirectoryOptions } from './claim.ts'
import { ExpiringMap } from './expiring-map.ts'
import { inProcessChannel } from './in-process-channel.ts'
import { inProcessDirectory } from './in-process-directory.ts'
import { inProcessPresence, leaveEveryRoom } from './in-process-presence.ts'
import { inProcessRateLimit } from './in-process-rate-limit.ts'
import { createHubState, type DirectoryState, type HubState, NodeState } from './in-process-state.ts'
import { inProcessWakeups } from './in-process-wakeups.ts'
import { checkNodeId } from './node-id.ts'
import type { Bus, DirectoryOptions, NodeId } from './ports.ts'

/** Several nodes in one process, for tests of what crosses nodes. */
export interface InProcessHub {
  connect(node: NodeId): Bus
  /** The node is gone without a word, as a killed process is. */
  kill(node: NodeId): void
}

export function createInProcessHub({ clock }: { readonly clock: Clock }): InProcessHub {
  const hub = createHubState(clock)
  return {
    connect(id) {
      checkNodeId(id)
      if (hub.nodes.has(id)) throw new TypeError(`node ${id} is connected already`)
      const node = new NodeState(id)
      hub.nodes.set(id, node)
      return inProcessBus(hub, node)
    },
    kill(id) {
      const node = hub.nodes.get(id)
      if (node !== undefined) dropNode(hub, node)
    },
  }
}

/** The bus of a product that runs on one node: no engine is needed. */
export function createInProcessBus({ node, clock }: { readonly node: NodeId; readonly clock: Clock }): Bus {
  return createInProcessHub({ clock }).connect(node)
}

function inProcessBus(hub: HubState, node: NodeState): Bus {
  const close = async () => dropNode(hub, node)
  return {
    node: node.id,
    channel: inProcessChannel(hub, node),
    wakeups: inProcessWakeups(hub, node),
    presence: inProcessPresence(hub, node),
    rateLimit: inProcessRateLimit(hub, node),
    directory: (name, options) => inProcessDirectory(hub, node, directoryState(hub, name, options)),
    async ping() {
      node.requireAlive()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function dropNode(hub: HubState, node: NodeState): void {
  if (!node.alive) return
  node.alive = false
  hub.nodes.delete(node.id)
  for (const { ledgers } of hub.directories.values()) ledgers.delete(node.id)
  leaveEveryRoom(hub, node)
  for (const alarm of node.alarms) void alarm[Symbol.asyncDispose]()
}

function directoryState(hub: HubState, name: string, options: DirectoryOptions): DirectoryState {
  checkDirectoryOptions(name, options)
  const known = hub.directories.get(name)
  if (known !== undefined) {
    if (known.options.ttlMs !== options.ttlMs || known.options.tombstoneMs !== options.tombstoneMs) {
      throw new TypeError(`directory ${name} is open with other lifetimes`)
    }
    return known
  }
  const state = { name, options, entries: new ExpiringMap<never>(), ledgers: new Map() }
  hub.directories.set(name, state)
  return state
}
