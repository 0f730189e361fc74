import type { HubState, NodeState } from './in-process-state.ts'
import { compareMembers } from './member-order.ts'
import type { NodeId, Presence } from './ports.ts'

export function inProcessPresence(hub: HubState, node: NodeState): Presence {
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
      remove(hub, node, room, id)
    },
    async members(room) {
      node.requireAlive()
      return [...(hub.rooms.get(room)?.values() ?? [])].toSorted(compareMembers)
    },
  }
}

export function leaveEveryRoom(hub: HubState, node: NodeState): void {
  for (const [room, ids] of node.memberships) {
    for (const id of ids) remove(hub, node, room, id)
  }
}

function remove(hub: HubState, node: NodeState, room: string, id: string): void {
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
