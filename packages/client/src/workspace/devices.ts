import { UnexpectedResponse } from '@patchbay/contracts/core'
import type {
  CommandResult,
  Device,
  DeviceConnection,
  DeviceValue,
  EmergencyStop,
  LatestValue,
} from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { networkFailure } from '../http/failure.ts'
import { newUuid } from '../new-uuid.ts'
import { EventStreamParser, EventTooLarge } from '../sse/event-stream.ts'
import { type Connection, eitherOf } from './connection.ts'
import { everyPage } from './paging.ts'
import { type Reason, reasonOf } from './panel-target.ts'
import {
  ADD_DEVICE,
  COMMAND_DEVICE,
  GET_DEVICE,
  GRANT_DEVICE,
  LIST_DEVICES,
  REMOVE_DEVICE,
  REPLACE_DEVICE_KEY,
  REVOKE_DEVICE,
  STOP_DEVICES,
  WATCH_DEVICE,
} from './routes.ts'
import { Unanswered } from './unanswered.ts'

export interface DeviceList {
  readonly devices: readonly Device[]
  /** While it holds, no command is sent; `null` when nothing is stopped. */
  readonly stop: EmergencyStop | null
}

export interface DeviceKey {
  /** Answered here and never again. */
  readonly key: string
  /** `null` where the server takes values over HTTP alone. */
  readonly connection: DeviceConnection | null
}

export interface AddedDevice extends DeviceKey {
  readonly device: Device
}

export interface DeviceDetails {
  readonly device: Device
  readonly connection: DeviceConnection | null
  readonly values: readonly LatestValue[]
  /** Other workspaces that have it too. */
  readonly grants: readonly WorkspaceRef[]
}

export interface WatchOptions {
  /** All of them unless given. */
  readonly channel?: string | undefined
  /** 3,600, an hour, at the most and unless given. */
  readonly seconds?: number | undefined
  /** Values of one channel in a second, 30 at the most; 10 unless given. */
  readonly rate?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface DeviceCommand extends Reason {
  readonly channel: string
  readonly value: DeviceValue
  /** Made here unless given. The same one is never sent to the device twice. */
  readonly id?: string | undefined
  /** How long the device has to confirm it, 30,000 at the most; 3,000 unless given. */
  readonly timeoutMs?: number | undefined
}

/** The devices of one workspace. Every failure is a `Problem`, an `UnexpectedResponse` or `Unanswered`. */
export interface WorkspaceDevices {
  list(): Promise<DeviceList>
  add(wanted: { readonly name: string; readonly title?: string | undefined }): Promise<AddedDevice>
  /** With the latest value of each channel. */
  get(name: string): Promise<DeviceDetails>
  /** With its key, its values and its grants. */
  remove(name: string): Promise<void>
  /** The old key ends at once, and so does the device's connection. */
  replaceKey(name: string): Promise<DeviceKey>
  /** Lets another workspace use it. Whoever asks must be allowed to change both. */
  grant(name: string, to: WorkspaceRef): Promise<void>
  revoke(name: string, from: WorkspaceRef): Promise<void>
  /**
   * Values as they arrive, the latest known ones first. It returns `over` after its seconds, and `gone` when the device was
   * removed or may no longer be seen.
   */
  watch(name: string, options?: WatchOptions): AsyncGenerator<LatestValue, 'over' | 'gone', undefined>
  /** What the device says. `timeout`: it may have carried the command out all the same. */
  command(name: string, command: DeviceCommand): Promise<CommandResult>
  /** Stops all devices. Only a person in a browser releases them. `devices`: how many were told. */
  stop(why?: Reason): Promise<{ readonly stop: EmergencyStop; readonly devices: number }>
}

/** What a command is given unless told otherwise. */
const COMMAND_MS = 3_000

export function openDevices(connection: Connection, params: WorkspaceRef): WorkspaceDevices {
  const repeatable = { isRepeatable: true }
  const at = (device: string) => ({ ...params, device })
  const between = (device: string, { owner: toOwner, repo: toRepo }: WorkspaceRef) => ({
    params: { ...at(device), toOwner, toRepo },
  })
  return {
    async list() {
      let stop: EmergencyStop | null = null
      const devices = await everyPage(async (query) => {
        const { body } = await connection.ask(LIST_DEVICES, { params, query }, repeatable)
        stop = body.stop
        return body
      })
      return { devices, stop }
    },
    async add({ name, title }) {
      const body = { name, ...(title === undefined ? {} : { title }) }
      return (await connection.ask(ADD_DEVICE, { params, body })).body
    },
    async get(name) {
      return (await connection.ask(GET_DEVICE, { params: at(name) }, repeatable)).body
    },
    async remove(name) {
      await connection.ask(REMOVE_DEVICE, { params: at(name) })
    },
    async replaceKey(name) {
      return (await connection.ask(REPLACE_DEVICE_KEY, { params: at(name) })).body
    },
    async grant(name, to) {
      await connection.ask(GRANT_DEVICE, between(name, to), repeatable)
    },
    async revoke(name, from) {
      await connection.ask(REVOKE_DEVICE, between(name, from), repeatable)
    },
    async *watch(name, { channel, seconds, rate, signal } = {}) {
      const query = {
        ...(channel === undefined ? {} : { channel }),
        ...(seconds === undefined ? {} : { seconds }),
        ...(rate === undefined ? {} : { rate }),
      }
      const asked = { params: at(name), query }
      const { body } = await connection.open(WATCH_DEVICE, asked, { ...repeatable, signal })
      return yield* valuesOf(body, eitherOf(connection.signal, signal))
    },
    async command(name, { channel, value, id, timeoutMs, reason }) {
      const body = {
        channel,
        value,
        // With a name of ours a lost answer can be asked for again.
        id: id ?? newUuid(connection.surroundings).replaceAll('-', ''),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...reasonOf({ reason }),
      }
      const waiting = { ...repeatable, waitMs: timeoutMs ?? COMMAND_MS }
      return (await connection.ask(COMMAND_DEVICE, { params: at(name), body }, waiting)).body
    },
    async stop(why) {
      return (await connection.ask(STOP_DEVICES, { params, body: reasonOf(why) }, repeatable)).body
    },
  }
}

async function* valuesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<LatestValue, 'over' | 'gone', undefined> {
  const reader = body.getReader()
  const leave = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', leave, { once: true })
  const parser = new EventStreamParser()
  try {
    for (;;) {
      // Canceled by the signal, it is done as well.
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return 'over'
      for (const { name, data } of parser.push(value)) {
        if (name === 'gone') return 'gone'
        if (name === 'value') yield valueOf(data)
        signal?.throwIfAborted()
      }
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Unanswered || error instanceof UnexpectedResponse) throw error
    if (error instanceof EventTooLarge) throw new UnexpectedResponse(200, error.message)
    throw new Unanswered(networkFailure(error, false).message, false)
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

function valueOf(data: string): LatestValue {
  const { channel, value, at } = Object(parsed(data)) as Partial<Record<keyof LatestValue, unknown>>
  if (typeof channel !== 'string' || typeof at !== 'string' || value === undefined)
    throw new UnexpectedResponse(200, 'an event of it is no value of a device')
  return { channel, value: value as DeviceValue, at }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
