import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { WebSockets } from '@patchbay/kernel/websocket'
import type { PanelsDeps } from '../deps.ts'
import { roomOf } from '../workspaces/workspace.ts'
import { Attendance } from './attendance.socket.ts'
import { Changing } from './changing.socket.ts'
import { CodeQueue } from './code-queue.socket.ts'
import { controlMetrics } from './control-metrics.ts'
import { Courier } from './courier.socket.ts'
import { NodeWatch } from './node-watch.store.ts'
import { PacedWork } from './paced-work.ts'
import { Pages } from './pages.socket.ts'
import type { Control, QueueRunner } from './ports.ts'
import { Reading } from './reading.socket.ts'
import { Rooms } from './rooms.socket.ts'
import { SessionCheck } from './session-check.socket.ts'
import { CONTROL_TIMINGS, type ControlTimings } from './timings.ts'

/** Who is there is told by the bus, and looked up for its own sake this rarely. */
const SWEEPS_TO_LOOK = 6
/** Between two wake-ups of a workspace: a person who watches sees 25 steps a second as one movement. */
const WAKE_UP_PAUSE_MS = 40

export interface ControlNode {
  readonly control: Control
  readonly stop: () => Promise<void>
}

/** The sockets of this node, and the way to those of the others. */
export function createControl(
  deps: PanelsDeps,
  runner: QueueRunner,
  webSockets: WebSockets,
  timings: ControlTimings = CONTROL_TIMINGS,
): ControlNode {
  const { bus, log } = deps
  const rooms = new Rooms(deps, {
    onChanged: (room) => reading.look(room),
    onAttendance: (room) => attendance.look(room),
    onEmpty(room) {
      reading.forget(room)
      attendance.forget(room)
    },
  })
  const nodes: NodeWatch = new NodeWatch({
    channel: bus.channel,
    everyMs: timings.pingMs,
    withinMs: timings.pingWithinMs,
    onChange(node) {
      if (nodes.isSilent(node)) courier.noteSilence(node)
      for (const room of rooms.all()) if (room.otherNodes.includes(node)) attendance.look(room)
    },
    onGone: (node) => courier.noteEnd(node),
    onBack() {
      for (const room of rooms.all()) attendance.tellAgain(room)
    },
  })
  const attendance: Attendance = new Attendance({
    ...deps,
    rooms: () => rooms,
    nodes: () => nodes,
    onActing: (connection) => queue.runAll(connection),
  })
  const reading: Reading = new Reading({
    ...deps,
    rooms: () => rooms,
    onOpened: (connection) => attendance.sit(connection),
    onEnd: (connection) => void attendance.stand(connection),
    onMissed: (room) => queue.runWaiting(room),
  })
  const courier: Courier = new Courier({
    ...deps,
    rooms,
    attendance,
    nodes: () => nodes,
    takenWithinMs: timings.takenWithinMs,
  })
  const wakeups = new PacedWork<string>(WAKE_UP_PAUSE_MS, (key) => {
    bus.wakeups.notify(key).catch((err: unknown) => {
      log.debug({ err }, 'the bus did not hear of a change, sweeps will find it')
      const room = rooms.get(key)
      if (room !== undefined) reading.look(room)
    })
  })
  const notify = (at: WorkspaceRef) => wakeups.ask(roomOf(at))
  const changing = new Changing({ ...deps, reading, notify: ({ at }) => notify(at) })
  const sessions = new SessionCheck({
    ...deps,
    everyMs: timings.recheckMs,
    onChange: (connection) => attendance.sit(connection),
    onEnd: (connection) => void attendance.stand(connection),
  })
  const count = controlMetrics(deps.metrics, () => ({
    connections: pages.size,
    workspaces: rooms.size,
    commands: courier.size,
  }))
  const queue: CodeQueue = new CodeQueue({ ...deps, rooms, attendance, courier, runner, count })
  const pages: Pages = new Pages({
    ...deps,
    rooms,
    reading,
    changing,
    attendance,
    queue,
    sessions,
    openWithinMs: timings.openWithinMs,
  })
  webSockets.add(pages.endpoint())
  let turn = 0
  const sweeping = setInterval(() => {
    turn += 1
    for (const [index, room] of rooms.all().entries()) {
      attendance.retry(room)
      // Not known since the bus failed: until it is, nobody runs what is queued.
      if (room.acting === undefined || (index + turn) % SWEEPS_TO_LOOK === 0) attendance.look(room)
    }
    void reading.sweep()
  }, timings.sweepMs).unref()

  return {
    control: {
      notify,
      browsers: (at) => attendance.list(roomOf(at)),
      async send(at, command, options) {
        const outcome = await courier.send(at, command, options)
        count(command.kind, outcome.outcome)
        return outcome
      },
      runQueued(at, tabId) {
        queue.tell(at, tabId).catch((err: unknown) => {
          log.debug({ err }, 'no node heard of queued code, a frame that gets ready will run it')
        })
      },
    },
    stop: async () => {
      clearInterval(sweeping)
      nodes.stop()
      sessions.stop()
      pages.stop()
      courier.stop()
      wakeups.finish()
      for (const { connections } of rooms.all()) for (const { desk } of connections) desk?.close()
      await attendance.stop()
      await rooms.stop()
    },
  }
}
