import type { Clock } from '../../clock/index.ts'
import {
  type Bus,
  compareMembers,
  type DirectoryOptions,
  type NodeChannel,
  type NodeId,
  type Presence,
  type RateLimit,
  type Wakeups,
} from '../ports/bus.ts'
import { decide, paceOf, toMicroseconds, verdictOf } from '../ports/gcra.ts'
import { answerWithin } from '../ports/handlers.ts'
import { checkDirectoryOptions, checkNodeId, checkTopic } from '../ports/names.ts'
import { openWaiter, Watcher } from '../ports/watcher.ts'
import { inProcessDirectory } from './directory.ts'
import { createHubState, type DirectoryState, ExpiringMap, type HubState, NodeState } from './state.ts'

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
  for (const { liveClaims } of hub.directories.values()) liveClaims.delete(node.id)
  leaveEveryRoom(hub, node)
  for (const watcher of node.watchers) void watcher[Symbol.asyncDispose]()
}

function directoryState(hub: HubState, name: string, options: DirectoryOptions): DirectoryState {
  const known = hub.directories.get(name)
  checkDirectoryOptions(name, options, known?.options)
  if (known !== undefined) return known
  const state = { name, options, entries: new ExpiringMap<never>(), liveClaims: new Map() }
  hub.directories.set(name, state)
  return state
}

function inProcessChannel(hub: HubState, node: NodeState): NodeChannel {
  return {
    node: node.id,
    async send(to, topic, message, deadlineMs) {
      checkTopic(topic)
      node.requireAlive()
      const receiver = hub.nodes.get(to)
      if (receiver === undefined) return { outcome: 'gone' }
      return answerWithin(receiver.handlers.answer(topic, message), deadlineMs)
    },
    handle: (topic, handler) => node.handlers.handle(topic, handler),
  }
}

function inProcessWakeups(hub: HubState, node: NodeState): Wakeups {
  const leave = (key: string, watcher: Watcher) => {
    node.watchers.delete(watcher)
    const watchers = hub.watchers.get(key)
    watchers?.delete(watcher)
    if (watchers?.size === 0) hub.watchers.delete(key)
  }
  const watch = async (key: string, onWake: () => void, onEnd?: () => void) => {
    node.requireAlive()
    const watcher = new Watcher(onWake, (self) => {
      onEnd?.()
      leave(key, self)
    })
    const watchers = hub.watchers.get(key) ?? new Set()
    hub.watchers.set(key, watchers.add(watcher))
    node.watchers.add(watcher)
    return watcher
  }
  return {
    listen: (key) => openWaiter((onWake, onEnd) => watch(key, onWake, onEnd)),
    watch: (key, onWake) => watch(key, onWake),
    async notify(key) {
      node.requireAlive()
      for (const watcher of hub.watchers.get(key) ?? []) watcher.wake()
    },
  }
}

function inProcessPresence(hub: HubState, node: NodeState): Presence {
  return {
    async join(room, id, info) {
      node.requireAlive()
      const members = hub.rooms.get(room) ?? new Map()
      hub.rooms.set(room, members)
      members.set(memberKey(node.id, id), { id, node: node.id, info })
      const ids = node.memberships.get(room) ?? new Set()
      node.memberships.set(room, ids.add(id))
    },
    async leave(room, id) {
      node.requireAlive()
      removeMember(hub, node, room, id)
    },
    async members(room) {
      node.requireAlive()
      return [...(hub.rooms.get(room)?.values() ?? [])].toSorted(compareMembers)
    },
  }
}

function leaveEveryRoom(hub: HubState, node: NodeState): void {
  for (const [room, ids] of node.memberships) {
    for (const id of ids) removeMember(hub, node, room, id)
  }
}

function removeMember(hub: HubState, node: NodeState, room: string, id: string): void {
  const members = hub.rooms.get(room)
  members?.delete(memberKey(node.id, id))
  if (members?.size === 0) hub.rooms.delete(room)
  const ids = node.memberships.get(room)
  ids?.delete(id)
  if (ids?.size === 0) node.memberships.delete(room)
}

function memberKey(node: NodeId, id: string): string {
  return `${node} ${id}`
}

function inProcessRateLimit(hub: HubState, node: NodeState): RateLimit {
  return {
    async hit(key, rule) {
      node.requireAlive()
      const pace = paceOf(rule)
      const now = toMicroseconds(hub.clock.now())
      const decision = decide(hub.rates.get(key, now), now, pace)
      if (decision.allowed) hub.rates.set(key, decision.fullAt, decision.fullAt, now)
      return verdictOf(decision, now, pace)
    },
  }
}
