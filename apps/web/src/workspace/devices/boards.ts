import { Problem } from '@patchbay/contracts/core'
import type { Device } from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { Offline } from '../../errors/failure.ts'
import type { PanelHost } from '../panel-definition.ts'
import type { BoardSnapshot, Refusal, SendFault } from '../serial/board.ts'
import { createBoardMemory } from '../serial/remembered-boards.ts'
import { createSerialBoards, type SerialBoards } from '../serial/serial-boards.ts'
import { webSerial } from '../serial/web-serial.ts'
import { words } from './words.ts'

const made = new WeakMap<PanelHost, SerialBoards>()

/** Those on this computer; one set for each page. */
export function boardsOf(host: PanelHost): SerialBoards {
  const known = made.get(host)
  if (known !== undefined) return known
  const boards = createSerialBoards({
    serial: webSerial(),
    memory: createBoardMemory(host.workspace),
    mayChange: () => host.mayChange(),
    now: () => Date.now(),
  })
  made.set(host, boards)
  return boards
}

/** A board as panels know devices. */
export function deviceOfBoard(board: BoardSnapshot, { owner, repo }: WorkspaceRef): Device {
  const { name, info, channels, state, openedAt, armedUntil } = board
  const since = new Date(openedAt ?? 0).toISOString()
  const by = { kind: 'browser', name: words.you, handle: owner } as const
  return {
    name,
    title: info?.title ?? name,
    owner,
    repo,
    status: state === 'open' ? 'online' : 'offline',
    seenAt: openedAt === undefined ? null : since,
    manufacturer: info?.manufacturer ?? null,
    model: info?.model ?? null,
    version: info?.version ?? null,
    channels: [...channels],
    arming:
      armedUntil === undefined ? null : { until: new Date(armedUntil).toISOString(), by, isForAgents: false },
    createdAt: since,
    createdBy: by,
  }
}

/** What is told to whoever wanted to send something. */
export function boardFault(fault: SendFault | undefined): string | undefined {
  if (fault === undefined) return undefined
  return 'text' in fault ? fault.text : words[fault.refusal]
}

const PROBLEMS = {
  mayOnlyLook: 'not_permitted',
  stopped: 'devices_stopped',
  offline: 'device_offline',
  notArmed: 'device_not_armed',
} as const

/** What a request to the server would end with. */
export const boardFailure = (refusal: Refusal) =>
  refusal === 'away' ? new Offline(words.away) : new Problem(PROBLEMS[refusal])
