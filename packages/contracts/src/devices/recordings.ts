import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'
import { RECORDING_LIMITS } from '../core/limits.ts'
import { actingParty } from '../panels/messages.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from '../panels/workspaces.ts'
import { channelName, deviceName, deviceValue } from './channels.ts'
import { DEVICES_PATH } from './devices.ts'

const WORKSPACE_PATH = '/api/workspaces/editor/{owner}/{repo}'
const RECORDER_PATH = `${WORKSPACE_PATH}/device-recorder` as const
const MARKERS_PATH = `${WORKSPACE_PATH}/device-markers` as const
const tag = 'Recordings'
const STRICT = { additionalProperties: false } as const

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const deviceParams = Type.Object({ ...workspaceParams.properties, device: deviceName })
const cursor = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const nextCursor = Type.Union([Type.String(), Type.Null()])
const from = Type.String({ format: 'date-time', description: 'The first moment.' })
const to = Type.String({ format: 'date-time', description: 'Later than `from`; not included.' })
const channels = Type.Optional(
  Type.String({
    maxLength: 1_000,
    pattern: '^[A-Za-z0-9_.,-]+$',
    description: 'Names with commas between them; all unless given.',
  }),
)

export const historyPoint = Type.Tuple(
  [Type.Integer(), Type.Number(), Type.Number(), Type.Number(), Type.Number(), Type.Integer()],
  {
    description:
      'When it begins (milliseconds since 1970), then the least, the greatest, the mean and the last value, and how many there were.',
  },
)
export type HistoryPoint = Static<typeof historyPoint>

export const historySeries = Type.Object({
  channel: channelName,
  member: Type.Union([Type.String(), Type.Null()], { description: 'Of an object, such as a quaternion.' }),
  points: Type.Array(historyPoint, { maxItems: RECORDING_LIMITS.points }),
})
export type HistorySeries = Static<typeof historySeries>

export const deviceHistory = Type.Object({
  stepMs: Type.Integer({ description: 'How long a point stands for: at least what was asked for.' }),
  series: Type.Array(historySeries, { maxItems: RECORDING_LIMITS.seriesAtOnce }),
  isCut: Type.Boolean({ description: 'There are more series than one answer has: name channels.' }),
})
export type DeviceHistory = Static<typeof deviceHistory>

export const getDeviceHistory = endpoint({
  method: 'GET',
  path: `${DEVICES_PATH}/{device}/history`,
  name: 'readDeviceHistory',
  summary: 'The numbers of a device over a time, as so many points',
  description:
    'Kept of every number, without anybody having recorded it: by the second for days, by the minute for weeks, by the hour for a year. Seconds without a value have no point.',
  tag,
  params: deviceParams,
  query: Type.Object(
    {
      from,
      to,
      channels,
      points: Type.Optional(Type.Integer({ minimum: 1, maximum: RECORDING_LIMITS.points, default: 500 })),
    },
    STRICT,
  ),
  responses: { 200: deviceHistory },
  problems: [...workspaceRefusals, 'device_not_found'],
})

export const recordedValue = Type.Object({
  channel: channelName,
  value: deviceValue,
  at: Type.Integer({ description: 'When the server heard it, in milliseconds since 1970.' }),
})
export type RecordedValue = Static<typeof recordedValue>

export const getRecordedValues = endpoint({
  method: 'GET',
  path: `${DEVICES_PATH}/{device}/recorded-values`,
  name: 'readRecordedValues',
  summary: 'Every recorded value of a device over a time, page by page',
  tag,
  params: deviceParams,
  query: Type.Object(
    {
      from,
      to,
      channels,
      withBefore: Type.Optional(
        Type.Boolean({
          description:
            'Begins with the last value of each channel in the minute before, as a replay needs it.',
        }),
      ),
      stepMs: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3_600_000,
          description:
            'Of each channel the last value of each stretch of so many milliseconds, counted from 1970; every value unless given.',
        }),
      ),
      cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECORDING_LIMITS.page, default: 1_000 })),
    },
    STRICT,
  ),
  responses: { 200: Type.Object({ items: Type.Array(recordedValue), nextCursor }) },
  problems: [...workspaceRefusals, 'device_not_found', 'objects_unavailable', 'too_many_waiting'],
})

export const RECORDING_FORMATS = ['mcap', 'csv'] as const
export type RecordingFormat = (typeof RECORDING_FORMATS)[number]

export const getDeviceExport = endpoint({
  method: 'GET',
  path: `${WORKSPACE_PATH}/device-export`,
  name: 'exportRecording',
  summary: 'What was recorded over a time, as an MCAP file or as CSV',
  description:
    'MCAP opens in Foxglove and Lichtblick: a topic `device/channel` for each channel, messages `{"value": …}` in JSON, in the order of each device. CSV has the columns `at`, `device`, `channel` and `value`, the last one as JSON.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      from,
      to,
      devices: Type.Optional(
        Type.String({
          maxLength: 7_000,
          pattern: '^[a-z0-9,-]+$',
          description: 'Names with commas between them; all of the workspace unless given.',
        }),
      ),
      format: Type.Optional(Type.Enum([...RECORDING_FORMATS], { default: 'mcap' })),
    },
    STRICT,
  ),
  responses: {
    200: {
      mediaType: 'application/octet-stream',
      description: '`application/octet-stream` or `text/csv`; streamed. One that is cut off has no end.',
    },
  },
  problems: [...workspaceRefusals, 'device_not_found', 'objects_unavailable', 'too_many_waiting'],
})

export const GAP_REASONS = ['node_lost', 'database_away', 'broker_away', 'store_away'] as const
export type GapReason = (typeof GAP_REASONS)[number]

export const recordingGap = Type.Object(
  {
    from: time,
    to: timeOrNull,
    reason: Type.Enum([...GAP_REASONS]),
  },
  { description: 'Values of this time may be missing. Without an end: nothing was recorded after it.' },
)
export type RecordingGap = Static<typeof recordingGap>

export const recordingFile = Type.Object({
  device: deviceName,
  from: time,
  to: time,
  values: Type.Integer(),
  size: Type.Integer({ description: 'Of its MCAP file, in bytes.' }),
  gaps: Type.Array(recordingGap),
})
export type RecordingFile = Static<typeof recordingFile>

export const getRecordings = endpoint({
  method: 'GET',
  path: `${WORKSPACE_PATH}/device-recordings`,
  name: 'listRecordings',
  summary: 'What was recorded of the devices of a workspace, the last first',
  description:
    'A file every quarter of an hour, or earlier when it is large. What was recorded since then is readable already.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      device: Type.Optional(deviceName),
      cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 })),
    },
    STRICT,
  ),
  responses: { 200: Type.Object({ items: Type.Array(recordingFile), nextCursor }) },
  problems: [...workspaceRefusals, 'device_not_found'],
})

export const recorder = Type.Object({
  since: Type.Union([time, Type.Null()], { description: '`null`: nothing is recorded at the moment.' }),
  by: Type.Union([actingParty, Type.Null()]),
  bytes: Type.Integer({ description: 'Of all recordings of the owner.' }),
  maxBytes: Type.Integer({ description: 'Nothing is recorded beyond it.' }),
})
export type Recorder = Static<typeof recorder>

export const getRecorder = endpoint({
  method: 'GET',
  path: RECORDER_PATH,
  name: 'readRecorder',
  summary: 'Whether the devices of a workspace are recorded',
  tag,
  params: workspaceParams,
  responses: { 200: recorder },
  problems: [...workspaceRefusals],
})

export const putRecorder = endpoint({
  method: 'PUT',
  path: RECORDER_PATH,
  name: 'startRecording',
  summary: 'Records every value of the devices that were added to this workspace, until it is stopped',
  tag,
  params: workspaceParams,
  responses: { 200: recorder },
  problems: [...workspaceChangeRefusals],
})

export const deleteRecorder = endpoint({
  method: 'DELETE',
  path: RECORDER_PATH,
  name: 'stopRecording',
  summary: 'Stops recording; what was recorded is kept for its time',
  tag,
  params: workspaceParams,
  responses: { 200: recorder },
  problems: [...workspaceChangeRefusals],
})

export const deviceMarker = Type.Object({
  id: Type.String(),
  at: time,
  label: Type.String(),
  by: actingParty,
})
export type DeviceMarker = Static<typeof deviceMarker>

export const getMarkers = endpoint({
  method: 'GET',
  path: MARKERS_PATH,
  name: 'listMarkers',
  summary: 'The moments that people and scripts have marked, in their order',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      from: Type.Optional(from),
      to: Type.Optional(to),
      cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
    },
    STRICT,
  ),
  responses: { 200: Type.Object({ items: Type.Array(deviceMarker), nextCursor }) },
  problems: [...workspaceRefusals],
})

export const postMarker = endpoint({
  method: 'POST',
  path: MARKERS_PATH,
  name: 'addMarker',
  summary: 'Marks a moment',
  tag,
  params: workspaceParams,
  body: Type.Object(
    {
      label: shownText(100, 'What happened.'),
      at: Type.Optional(Type.String({ format: 'date-time', description: 'Now unless given.' })),
    },
    STRICT,
  ),
  responses: { 201: deviceMarker },
  problems: [...workspaceChangeRefusals, 'limit_reached'],
})

export const deleteMarker = endpoint({
  method: 'DELETE',
  path: `${MARKERS_PATH}/{marker}`,
  name: 'removeMarker',
  summary: 'Removes a marker; one that is not there is removed already',
  tag,
  params: Type.Object({
    ...workspaceParams.properties,
    marker: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  }),
  responses: { 204: null },
  problems: [...workspaceChangeRefusals],
})
