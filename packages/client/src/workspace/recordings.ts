import type {
  DeviceHistory,
  DeviceMarker,
  RecordedValue,
  Recorder,
  RecordingFile,
  RecordingFormat,
} from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Connection } from './connection.ts'
import { everyPage } from './paging.ts'
import {
  ADD_MARKER,
  EXPORT_RECORDING,
  GET_RECORDER,
  LIST_MARKERS,
  LIST_RECORDINGS,
  READ_HISTORY,
  READ_RECORDED,
  REMOVE_MARKER,
  START_RECORDING,
  STOP_RECORDING,
} from './routes.ts'

export interface TimeRange {
  readonly from: Date
  /** Not included. */
  readonly to: Date
}

export interface HistoryOptions extends TimeRange {
  /** All of them unless given. */
  readonly channels?: readonly string[] | undefined
  /** 2,000 at the most; 500 unless given. */
  readonly points?: number | undefined
}

export interface RecordedOptions extends TimeRange {
  readonly channels?: readonly string[] | undefined
  /** Begins with the last value of each channel in the minute before. */
  readonly withBefore?: boolean | undefined
}

export interface ExportOptions extends TimeRange {
  /** All of them unless given. */
  readonly devices?: readonly string[] | undefined
  /** `mcap` unless given. */
  readonly format?: RecordingFormat | undefined
}

/** What devices of one workspace have sent. Every failure is a `Problem`, an `UnexpectedResponse` or `Unanswered`. */
export interface WorkspaceRecordings {
  /** The numbers of a device as so many points, recorded or not. */
  history(device: string, options: HistoryOptions): Promise<DeviceHistory>
  /** Every recorded value, in its order, fetched as it is taken. */
  values(device: string, options: RecordedOptions): AsyncGenerator<RecordedValue, void, undefined>
  /** What was recorded, the last first; of one device if given. */
  list(device?: string): Promise<readonly RecordingFile[]>
  /** A file of what was recorded, as it is made. */
  export(options: ExportOptions): Promise<ReadableStream<Uint8Array>>
  /** Whether the devices are recorded. */
  state(): Promise<Recorder>
  start(): Promise<Recorder>
  stop(): Promise<Recorder>
  markers(range?: Partial<TimeRange>): Promise<readonly DeviceMarker[]>
  /** Marks a moment, the present one unless given. */
  mark(label: string, at?: Date): Promise<DeviceMarker>
  unmark(id: string): Promise<void>
}

const PAGE = 5_000

export function openRecordings(connection: Connection, params: WorkspaceRef): WorkspaceRecordings {
  const repeatable = { isRepeatable: true }
  const times = ({ from, to }: TimeRange) => ({ from: from.toISOString(), to: to.toISOString() })
  const listed = (name: 'channels' | 'devices', names: readonly string[] | undefined) =>
    names === undefined ? {} : { [name]: names.join(',') }
  return {
    async history(device, { channels, points, ...range }) {
      const query = {
        ...times(range),
        ...listed('channels', channels),
        ...(points === undefined ? {} : { points }),
      }
      return (await connection.ask(READ_HISTORY, { params: { ...params, device }, query }, repeatable)).body
    },
    async *values(device, { channels, withBefore = false, ...range }) {
      const wanted = { ...times(range), ...listed('channels', channels), limit: PAGE }
      let cursor: string | null | undefined
      while (cursor !== null) {
        const query = {
          ...wanted,
          ...(withBefore && cursor === undefined ? { withBefore } : {}),
          ...(cursor === undefined ? {} : { cursor }),
        }
        const asked = { params: { ...params, device }, query }
        const { body } = await connection.ask(READ_RECORDED, asked, repeatable)
        yield* body.items
        cursor = body.nextCursor
      }
    },
    list: (device) =>
      everyPage(async (page) => {
        const query = { ...page, ...(device === undefined ? {} : { device }) }
        return (await connection.ask(LIST_RECORDINGS, { params, query }, repeatable)).body
      }),
    async export({ devices, format, ...range }) {
      const query = {
        ...times(range),
        ...listed('devices', devices),
        ...(format === undefined ? {} : { format }),
      }
      return (await connection.open(EXPORT_RECORDING, { params, query }, repeatable)).body
    },
    async state() {
      return (await connection.ask(GET_RECORDER, { params }, repeatable)).body
    },
    async start() {
      return (await connection.ask(START_RECORDING, { params }, repeatable)).body
    },
    async stop() {
      return (await connection.ask(STOP_RECORDING, { params }, repeatable)).body
    },
    markers: ({ from, to } = {}) =>
      everyPage(async (page) => {
        const query = {
          ...page,
          ...(from === undefined ? {} : { from: from.toISOString() }),
          ...(to === undefined ? {} : { to: to.toISOString() }),
        }
        return (await connection.ask(LIST_MARKERS, { params, query }, repeatable)).body
      }),
    async mark(label, at) {
      const body = { label, ...(at === undefined ? {} : { at: at.toISOString() }) }
      return (await connection.ask(ADD_MARKER, { params, body })).body
    },
    async unmark(id) {
      await connection.ask(REMOVE_MARKER, { params: { ...params, marker: id } }, repeatable)
    },
  }
}
