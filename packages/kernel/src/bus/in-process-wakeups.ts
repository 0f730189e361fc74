import { Alarm, type Ringable } from './alarm.ts'
import { Bell } from './bell.ts'
import type { HubState, NodeState } from './in-process-state.ts'
import type { Wakeups } from './ports.ts'

export function inProcessWakeups(hub: HubState, node: NodeState): Wakeups {
  const join = (key: string, ringable: Ringable) => {
    const bells = hub.bells.get(key) ?? new Set()
    hub.bells.set(key, bells)
    bells.add(ringable)
    node.bells.add(ringable)
  }
  const leave = (key: string, ringable: Ringable) => {
    node.bells.delete(ringable)
    const bells = hub.bells.get(key)
    bells?.delete(ringable)
    if (bells?.size === 0) hub.bells.delete(key)
  }
  return {
    async listen(key) {
      node.requireAlive()
      const bell = new Bell((self) => leave(key, self))
      join(key, bell)
      return bell
    },
    async watch(key, onWake) {
      node.requireAlive()
      const alarm = new Alarm(onWake, (self) => leave(key, self))
      join(key, alarm)
      return alarm
    },
    async notify(key) {
      node.requireAlive()
      for (const bell of hub.bells.get(key) ?? []) bell.ring()
    },
  }
}
