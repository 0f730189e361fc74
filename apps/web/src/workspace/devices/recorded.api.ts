import {
  type DeviceMarker,
  deleteMarker,
  deleteRecorder,
  getDeviceHistory,
  getMarkers,
  getRecordedValues,
  getRecorder,
  type HistorySeries,
  postMarker,
  putRecorder,
  type RecordedValue,
  type Recorder,
} from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'
import { ask } from '../../server/server.api.ts'
import type { PanelHost } from '../panel-definition.ts'

type Place = Pick<PanelHost, 'workspace'>
type Asking = Pick<PanelHost, 'workspace' | 'csrfToken'>

export interface Wish {
  readonly device: string
  readonly channels: readonly string[]
  readonly from: number
  /** Not included. */
  readonly to: number
}

/** An hour of a recording is read on the server before its first value comes. */
const DEADLINE_MS = 20_000
/** So many values of a stretch are taken; of more, a part. */
const MOST_PAGES = 4
const THINNED_MS = 1_000

const rangeOf = ({ channels, from, to }: Wish) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  channels: channels.join(','),
})

/** What was recorded, and before it what each channel was. With `stepMs` the last of each so many milliseconds. */
export async function fetchRecorded(
  { workspace }: Place,
  wish: Wish,
  stepMs: number | undefined,
  signal: AbortSignal,
): Promise<readonly RecordedValue[]> {
  const params = { ...workspace, device: wish.device }
  const found: RecordedValue[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = {
      ...rangeOf(wish),
      limit: RECORDING_LIMITS.page,
      ...(stepMs !== undefined && { stepMs }),
      ...(cursor === undefined ? { withBefore: true } : { cursor }),
    }
    const { body } = await ask(getRecordedValues, { params, query }, { signal, deadlineMs: DEADLINE_MS })
    found.push(...body.items)
    if (body.nextCursor === null) return found
    cursor = body.nextCursor
  }
  // A part of each second is better than every value of the first ones alone.
  return stepMs === undefined ? await fetchRecorded({ workspace }, wish, THINNED_MS, signal) : found
}

export interface Numbers {
  readonly stepMs: number
  readonly series: readonly HistorySeries[]
}

/** The numbers of channels, whether they were recorded or not. */
export async function fetchNumbers(
  asking: Place,
  wish: Wish,
  points: number,
  signal: AbortSignal,
): Promise<Numbers> {
  const params = { ...asking.workspace, device: wish.device }
  const query = { ...rangeOf(wish), points }
  const { body } = await ask(getDeviceHistory, { params, query }, { signal, deadlineMs: DEADLINE_MS })
  const { length } = wish.channels
  if (!body.isCut || length < 2) return body
  const halves = await Promise.all(
    [wish.channels.slice(0, length >> 1), wish.channels.slice(length >> 1)].map((channels) =>
      fetchNumbers(asking, { ...wish, channels }, points, signal),
    ),
  )
  return { stepMs: body.stepMs, series: halves.flatMap(({ series }) => series) }
}

/** All of them: a workspace has a thousand at the most. */
export async function fetchMarkers(
  { workspace: params }: Place,
  signal: AbortSignal,
): Promise<DeviceMarker[]> {
  const markers: DeviceMarker[] = []
  let cursor: string | undefined
  for (let page = 0; page < RECORDING_LIMITS.markers / 200; page += 1) {
    const query = { limit: 200, ...(cursor !== undefined && { cursor }) }
    const { body } = await ask(getMarkers, { params, query }, { signal })
    markers.push(...body.items)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return markers
}

const headersOf = ({ csrfToken }: Asking) => ({ headers: { 'x-csrf-token': csrfToken() } })

export async function addMarker(asking: Asking, label: string, at: number): Promise<void> {
  const body = { label, at: new Date(at).toISOString() }
  await ask(postMarker, { params: asking.workspace, body }, headersOf(asking))
}

export async function removeMarker(asking: Asking, marker: string): Promise<void> {
  await ask(deleteMarker, { params: { ...asking.workspace, marker } }, headersOf(asking))
}

export async function fetchRecorder({ workspace: params }: Place, signal: AbortSignal): Promise<Recorder> {
  return (await ask(getRecorder, { params }, { signal })).body
}

export async function setRecording(asking: Asking, isOn: boolean): Promise<Recorder> {
  const endpoint = isOn ? putRecorder : deleteRecorder
  return (await ask(endpoint, { params: asking.workspace }, headersOf(asking))).body
}
