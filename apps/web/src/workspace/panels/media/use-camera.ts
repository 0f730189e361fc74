import {
  type Device,
  type DeviceChannel,
  getDevice,
  getDevices,
  type LatestValue,
  postDeviceCommand,
} from '@patchbay/contracts/devices'
import { useCallback, useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../../errors/failure.ts'
import { ask } from '../../../server/server.api.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { type Aim, within } from './camera-aim.ts'
import { words } from './words.ts'

/** What a camera is told, by the names of channels that the usual ones have. */
const AXES = ['pan', 'tilt', 'zoom'] as const
const PRESET = 'preset'
const LOOK_EVERY_MS = 2_000
const LONGEST_LIST = 200

export interface Camera {
  /** Devices that can be aimed. */
  readonly offered: readonly { readonly id: string; readonly label: string }[]
  readonly device: Device | undefined
  /** Where it looks, as far as it has told. */
  readonly aim: Aim | undefined
  readonly presets: readonly string[]
  readonly preset: string | undefined
  readonly isSending: boolean
  readonly failed: string | undefined
  readonly send: (values: Readonly<Record<string, number | string>>) => void
}

interface Told {
  readonly device: Device | undefined
  readonly values: readonly LatestValue[]
}

const NOTHING: Told = { device: undefined, values: [] }

/** The device that aims a camera: what it reports, looked at every two seconds while the panel is shown, and what it is told. */
export function useCamera(host: PanelHost, name: string | undefined, isShown: boolean): Camera {
  const [offered, setOffered] = useState<Camera['offered']>([])
  const [told, setTold] = useState(NOTHING)
  const [sending, setSending] = useState<{ isPending: boolean; failed?: string }>({ isPending: false })
  const look = useRef(() => {})
  useEffect(() => {
    if (!isShown) return undefined
    const ending = new AbortController()
    const { signal } = ending
    const params = host.workspace
    ask(getDevices, { params, query: { limit: LONGEST_LIST } }, { signal }).then(
      ({ body }) => {
        const cameras = body.items.filter(isCamera)
        setOffered(cameras.map(({ name: id, title }) => ({ id, label: title })))
      },
      // Without devices there is a picture all the same; the next time the panel is shown asks again.
      () => {},
    )
    return () => ending.abort()
  }, [host, isShown])
  useEffect(() => {
    if (name === undefined || !isShown) return undefined
    const ending = new AbortController()
    const { signal } = ending
    const read = () => {
      ask(getDevice, { params: { ...host.workspace, device: name } }, { signal }).then(
        ({ body }) => setTold({ device: body.device, values: body.values }),
        () => {
          if (!signal.aborted) setTold(NOTHING)
        },
      )
    }
    look.current = read
    read()
    const timer = setInterval(read, LOOK_EVERY_MS)
    return () => {
      ending.abort()
      clearInterval(timer)
      look.current = () => {}
      setTold(NOTHING)
    }
  }, [host, name, isShown])

  const waiting = useRef<Readonly<Record<string, number | string>>>(undefined)
  const isBusy = useRef(false)
  const channels = told.device?.channels
  const send = useCallback(
    (values: Readonly<Record<string, number | string>>) => {
      if (name === undefined) return
      // The newest counts: a camera that is slower than the hand must not come later and later.
      waiting.current = { ...waiting.current, ...values }
      if (isBusy.current) return
      isBusy.current = true
      setSending({ isPending: true })
      const params = { ...host.workspace, device: name }
      const carryOut = async () => {
        while (waiting.current !== undefined) {
          const next = waiting.current
          waiting.current = undefined
          const answers = await Promise.all(
            Object.entries(next).map(([channel, value]) =>
              ask(
                postDeviceCommand,
                { params, body: { channel, value: fitted(value, channel, channels ?? []) } },
                { headers: { 'x-csrf-token': host.csrfToken() } },
              ),
            ),
          )
          const refused = answers.find(({ body }) => body.status !== 'done' && body.status !== 'sent')
          if (refused !== undefined)
            throw new Error(words.camera.results[refused.body.status](refused.body.message))
        }
      }
      carryOut()
        .then(
          () => setSending({ isPending: false }),
          (error: unknown) => setSending({ isPending: false, failed: inWords(error) }),
        )
        .finally(() => {
          isBusy.current = false
          waiting.current = undefined
          look.current()
        })
    },
    [host, name, channels],
  )
  const valueOf = (channel: string) => told.values.find((value) => value.channel === channel)?.value
  return {
    offered,
    device: told.device,
    aim: aimOf(valueOf('position')) ?? aimOf(Object.fromEntries(AXES.map((axis) => [axis, valueOf(axis)]))),
    presets: channels?.find((channel) => channel.name === PRESET)?.options ?? [],
    preset: textOf(valueOf(PRESET)),
    isSending: sending.isPending,
    failed: sending.failed,
    send,
  }
}

function isCamera({ channels }: Device): boolean {
  return AXES.every((axis) => channels.some(({ name, takesCommands }) => name === axis && takesCommands))
}

function fitted(value: number | string, name: string, channels: readonly DeviceChannel[]): number | string {
  const { min, max } = channels.find((channel) => channel.name === name) ?? {}
  return typeof value === 'string' ? value : within(value, min ?? value, max ?? value)
}

function aimOf(value: unknown): Aim | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pan, tilt, zoom } = value as Readonly<Record<string, unknown>>
  return typeof pan === 'number' && typeof tilt === 'number' && typeof zoom === 'number'
    ? { pan, tilt, zoom }
    : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function inWords(error: unknown): string {
  if (error instanceof Error && error.constructor === Error) return error.message
  const { title, detail } = describeFailure(error)
  return `${title}. ${detail}`
}
