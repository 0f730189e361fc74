import { Alarm, openWaiter } from './alarm.ts'
import type { HubState, NodeState } from './in-process-state.ts'
import type { Wakeups } from './ports.ts'

export function inProcessWakeups(hub: HubState, node: NodeState): Wakeups {
  const leave = (key: string, alarm: Alarm) => {
    node.alarms.delete(alarm)
    const alarms = hub.alarms.get(key)
    alarms?.delete(alarm)
    if (alarms?.size === 0) hub.alarms.delete(key)
  }
  const watch = async (key: string, onWake: () => void, onEnd?: () => void) => {
    node.requireAlive()
    const alarm = new Alarm(onWake, (self) => {
      onEnd?.()
      leave(key, self)
    })
    const alarms = hub.alarms.get(key) ?? new Set()
    hub.alarms.set(key, alarms.add(alarm))
    node.alarms.add(alarm)
    return alarm
  }
  return {
    listen: (key) => openWaiter((onWake, onEnd) => watch(key, onWake, onEnd)),
    watch: (key, onWake) => watch(key, onWake),
    async notify(key) {
      node.requireAlive()
      for (const alarm of hub.alarms.get(key) ?? []) alarm.wake()
    },
  }
}
