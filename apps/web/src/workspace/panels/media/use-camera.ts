import type { Device } from '@patchbay/contracts/devices'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ChannelAddress } from '../../devices/addresses.ts'
import { deviceStoreOf, disabledReason } from '../../devices/device-store.ts'
import type { ReadingState } from '../../instruments/reading.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { type Aim, within } from './camera-aim.ts'

/** What a camera is told, by the names of channels that the usual ones have. */
const AXES = ['pan', 'tilt', 'zoom'] as const
const PRESET = 'preset'
/** All axes in one object, as some tell them. */
const POSITION = 'position'
const READ = [...AXES, PRESET, POSITION] as const
/** Values a second. */
const RATE = 10

export interface Camera {
  /** Devices that can be aimed. */
  readonly offered: readonly { readonly id: string; readonly label: string }[]
  readonly device: Device | undefined
  /** Where it looks, as far as it has told. */
  readonly aim: Aim | undefined
  /** What it has told may be old. */
  readonly isStale: boolean
  readonly presets: readonly string[]
  readonly preset: string | undefined
  /** Why it cannot be aimed now. */
  readonly disabled: string | undefined
  readonly isSending: boolean
  readonly failed: string | undefined
  readonly send: (values: Readonly<Record<string, number | string>>) => void
}

interface Told {
  readonly values: Readonly<Record<string, unknown>>
  readonly states: readonly ReadingState[]
  readonly isSending: boolean
  readonly failed?: string
}

/** The device that aims a camera: what it reports while the panel is shown, and what it is told. */
export function useCamera(
  host: PanelHost,
  name: string | undefined,
  {
    isShown,
    mayChange,
    isPast,
  }: { readonly isShown: boolean; readonly mayChange: boolean; readonly isPast: boolean },
): Camera {
  const store = deviceStoreOf(host)
  const snapshot = useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.getSnapshot(),
  )
  const device = snapshot.devices.find((each) => each.name === name)
  const names = device?.channels.map((channel) => channel.name).join(' ') ?? ''
  const addresses = useMemo(
    () =>
      READ.filter((channel) => names.split(' ').includes(channel)).map(
        (channel): ChannelAddress => `${name ?? ''}/${channel}`,
      ),
    [name, names],
  )
  useEffect(
    () => (isShown ? store.watch(addresses.map((address) => ({ address, rate: RATE }))) : undefined),
    [store, isShown, addresses],
  )
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = addresses.map((address) => store.follow(address, listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [store, addresses],
  )
  // As text, which is the same for as long as nothing is new.
  const text = useSyncExternalStore(subscribe, () => {
    const all = addresses.map((address) => ({
      channel: address.slice(address.indexOf('/') + 1),
      reading: store.reading(address),
      sending: store.sending(address),
    }))
    const failed = all.find(({ sending }) => sending.failed !== undefined)?.sending.failed
    const told: Told = {
      values: Object.fromEntries(all.map(({ channel, reading }) => [channel, reading.value])),
      states: all.map(({ reading }) => reading.state),
      isSending: all.some(({ sending }) => sending.isPending),
      ...(failed !== undefined && { failed }),
    }
    return JSON.stringify(told)
  })
  const { values, states, isSending, failed } = useMemo(() => JSON.parse(text) as Told, [text])
  const send = useCallback(
    (wanted: Readonly<Record<string, number | string>>) => {
      for (const [channel, value] of Object.entries(wanted))
        store.send(`${name ?? ''}/${channel}`, fitted(value, channel, device))
    },
    [store, name, device],
  )
  return {
    offered: snapshot.devices.filter(isCamera).map(({ name: id, title: label }) => ({ id, label })),
    device,
    aim: aimOf(values[POSITION]) ?? aimOf(values),
    isStale: states.includes('stale'),
    presets: device?.channels.find((channel) => channel.name === PRESET)?.options ?? [],
    preset: typeof values[PRESET] === 'string' ? values[PRESET] : undefined,
    disabled:
      name === undefined ? undefined : disabledReason({ ...snapshot, isPast }, `${name}/pan`, mayChange),
    isSending,
    failed,
    send,
  }
}

/** Whether a zoom camera can be aimed with it. */
export function isCamera({ channels }: Device): boolean {
  return AXES.every((axis) => channels.some(({ name, takesCommands }) => name === axis && takesCommands))
}

function fitted(value: number | string, name: string, device: Device | undefined): number | string {
  const { min, max } = device?.channels.find((channel) => channel.name === name) ?? {}
  return typeof value === 'string' ? value : within(value, min ?? value, max ?? value)
}

function aimOf(value: unknown): Aim | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pan, tilt, zoom } = value as Readonly<Record<string, unknown>>
  return typeof pan === 'number' && typeof tilt === 'number' && typeof zoom === 'number'
    ? { pan, tilt, zoom }
    : undefined
}
