import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { WebSockets } from '@patchbay/kernel/websocket'
import { roomOf } from '../access/workspace.ts'
import type { Channel, Control, QueueRunner } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { CodeQueue } from './code-queue.socket.ts'
import { controlMetrics } from './command-metrics.ts'
import { CommandRouter } from './command-router.socket.ts'
import { NodeWatch } from './node-watch.store.ts'
import { Presence } from './presence.socket.ts'
import { RoomBroadcaster } from './room-broadcaster.socket.ts'
import { RoomChanges } from './room-changes.socket.ts'
import { Rooms } from './rooms.socket.ts'
import { rightsText } from './server-message.ts'
import { SessionCheck } from './session-check.socket.ts'
import { Throttle } from './throttle.ts'
import { CONTROL_TIMINGS, type ControlTimings } from './timings.ts'
import { WorkspaceSocket } from './workspace.socket.ts'

/** Who is there is told by the bus, and looked up for its own sake this rarely. */
const SWEEPS_TO_LOOK = 6
/** Between two wake-ups of a workspace: a person who watches sees 25 steps a second as one movement. */
const WAKE_UP_PAUSE_MS = 40

export interface ControlNode {
  readonly control: Control
  readonly connect: (channel: Channel) => void
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
    onChanged: (room) => broadcaster.refresh(room),
    onPresence: (room) => presence.refresh(room),
    onEmpty(room) {
      broadcaster.forget(room)
      presence.forget(room)
    },
  })
  const nodes: NodeWatch = new NodeWatch({
    channel: bus.channel,
    everyMs: timings.pingMs,
    withinMs: timings.pingWithinMs,
    onChange(node) {
      if (nodes.isSilent(node)) router.noteSilence(node)
      for (const room of rooms.all()) if (room.otherNodes.includes(node)) presence.refresh(room)
    },
    onGone: (node) => router.noteEnd(node),
    onBack() {
      for (const room of rooms.all()) presence.announceAgain(room)
    },
  })
  const presence: Presence = new Presence({
    ...deps,
    rooms: () => rooms,
    nodes: () => nodes,
    onActing: (connection) => queue.runAll(connection),
  })
  const broadcaster: RoomBroadcaster = new RoomBroadcaster({
    ...deps,
    rooms: () => rooms,
    onOpened(connection) {
      presence.join(connection)
      // They may have had to go after they were asked about, and before this room heard of it.
      if (connection.caller.handle !== connection.room?.at.owner) void sessions.check([connection])
    },
    onEnd: (connection) => void presence.leave(connection),
    onMissed: (room) => queue.runWaiting(room),
    onMembers: ({ connections }) => void sessions.check(connections),
  })
  const router: CommandRouter = new CommandRouter({
    ...deps,
    rooms,
    presence,
    nodes: () => nodes,
    takenWithinMs: timings.takenWithinMs,
  })
  const wakeups = new Throttle<string>(WAKE_UP_PAUSE_MS, (key) => {
    bus.wakeups.notify(key).catch((err: unknown) => {
      log.debug({ err }, 'failed to publish workspace change, the sweep will pick it up')
      const room = rooms.get(key)
      if (room !== undefined) broadcaster.refresh(room)
    })
  })
  const notify = (at: WorkspaceRef) => wakeups.run(roomOf(at))
  const changes = new RoomChanges({ ...deps, broadcaster, notify: ({ at }) => notify(at) })
  const sessions: SessionCheck = new SessionCheck({
    ...deps,
    everyMs: timings.recheckMs,
    onChange(connection) {
      connection.peer.offer(rightsText(connection.mayChange))
      presence.join(connection)
    },
    onEnd: (connection) => void presence.leave(connection),
  })
  const count = controlMetrics(deps.metrics, () => ({
    connections: socket.size,
    workspaces: rooms.size,
    commands: router.size,
  }))
  const queue: CodeQueue = new CodeQueue({ ...deps, rooms, presence, router, runner, count })
  const channels = new Map<string, Channel>()
  const socket: WorkspaceSocket = new WorkspaceSocket({
    ...deps,
    rooms,
    broadcaster,
    changes,
    presence,
    queue,
    sessions,
    channels,
    openWithinMs: timings.openWithinMs,
  })
  webSockets.add(socket.endpoint())
  let turn = 0
  const sweeping = setInterval(() => {
    turn += 1
    for (const [index, room] of rooms.all().entries()) {
      presence.retry(room)
      // Not known since the bus failed: until it is, nobody runs what is queued.
      if (room.acting === undefined || (index + turn) % SWEEPS_TO_LOOK === 0) presence.refresh(room)
    }
    void broadcaster.sweep()
  }, timings.sweepMs).unref()

  return {
    control: {
      notify,
      browsers: (at) => presence.list(roomOf(at)),
      async send(at, command, options) {
        const outcome = await router.send(at, command, options)
        count(command.kind, outcome.outcome)
        return outcome
      },
      runQueued(at, tabId) {
        queue.tell(at, tabId).catch((err: unknown) => {
          log.debug({ err }, 'failed to announce queued code, the next ready frame will run it')
        })
      },
    },
    connect: (channel) => void channels.set(channel.name, channel),
    stop: async () => {
      clearInterval(sweeping)
      nodes.stop()
      sessions.stop()
      socket.stop()
      router.stop()
      wakeups.flush()
      for (const { connections } of rooms.all()) for (const { pending } of connections) pending?.close()
      await presence.stop()
      await rooms.stop()
    },
  }
}
