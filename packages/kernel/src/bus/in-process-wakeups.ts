import { Bell } from './bell.ts'
import type { HubState, NodeState } from './in-process-state.ts'
import type { Wakeups } from './ports.ts'

export function inProcessWakeups(hub: HubState, node: NodeState): Wakeups {
  return {
    async listen(key) {
      node.requireAlive()
      const bells = hub.bells.get(key) ?? new Set()
      hub.bells.set(key, bells)
      const bell = new Bell(() => {
        node.bells.delete(bell)
        bells.delete(bell)
        if (bells.size === 0) hub.bells.delete(key)
      })
      bells.add(bell)
      node.bells.add(bell)
      return bell
    },
    async notify(key) {
      node.requireAlive()
      for (const bell of hub.bells.get(key) ?? []) bell.ring()
    },
  }
}
