import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, shownText } from '../core/handles.ts'
import { COMMAND_LIMITS, DEVICE_LIMITS } from '../core/limits.ts'
import { actingParty } from '../panels/messages.ts'
import {
  repoName,
  workspaceChangeRefusals,
  workspaceParams,
  workspaceRefusals,
} from '../panels/workspaces.ts'
import { channelName, deviceChannel, deviceName, deviceValue } from './channels.ts'

const WORKSPACE_PATH = '/api/workspaces/editor/{owner}/{repo}'
export const DEVICES_PATH = `${WORKSPACE_PATH}/devices` as const
const tag = 'Devices'
const STRICT = { additionalProperties: false } as const

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const deviceParams = Type.Object({ ...workspaceParams.properties, device: deviceName })
const reason = Type.Optional(shownText(200, 'Why, for the people who watch.'))

const refusals = [...workspaceRefusals, 'device_not_found'] as const
const changeRefusals = [...workspaceChangeRefusals, 'device_not_found'] as const
/** Of what only a person in a browser may do. */
const personRefusals = [...changeRefusals, 'browser_session_required'] as const

export const DEVICE_STATUSES = ['online', 'offline', 'never'] as const

export const deviceArming = Type.Object(
  {
    until: time,
    by: actingParty,
    isForAgents: Type.Boolean({ description: 'Whether scripts and agents may command it meanwhile.' }),
  },
  { description: 'A person takes responsibility for what moves.' },
)
export type DeviceArming = Static<typeof deviceArming>

export const device = Type.Object({
  name: deviceName,
  title: Type.String(),
  owner: handle,
  repo: Type.String({
    ...repoName,
    description: 'The workspace it was added to, and which its topics name.',
  }),
  status: Type.Enum([...DEVICE_STATUSES], {
    description: '`offline` when its connection ended or nothing was heard of it for a while.',
  }),
  seenAt: timeOrNull,
  manufacturer: Type.Union([Type.String(), Type.Null()]),
  model: Type.Union([Type.String(), Type.Null()]),
  version: Type.Union([Type.String(), Type.Null()], { description: 'Of its firmware.' }),
  channels: Type.Array(deviceChannel, { maxItems: DEVICE_LIMITS.channels }),
  arming: Type.Union([deviceArming, Type.Null()]),
  createdAt: time,
  createdBy: actingParty,
})
export type Device = Static<typeof device>

export const latestValue = Type.Object({ channel: channelName, value: deviceValue, at: time })
export type LatestValue = Static<typeof latestValue>

export const deviceConnection = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  isTls: Type.Boolean(),
  username: Type.String({ description: 'Names the device at the broker.' }),
  topic: Type.String({ description: 'What all of its topics begin with, such as `pb/ada/board/motor-1`.' }),
})
export type DeviceConnection = Static<typeof deviceConnection>
const connectionOrNull = Type.Union([deviceConnection, Type.Null()], {
  description: 'How the device connects over MQTT; `null`: this server takes values over HTTP alone.',
})

export const emergencyStop = Type.Object({
  since: time,
  by: actingParty,
  reason: Type.Union([Type.String(), Type.Null()]),
})
export type EmergencyStop = Static<typeof emergencyStop>

export const getDevices = endpoint({
  method: 'GET',
  path: DEVICES_PATH,
  name: 'listDevices',
  summary: 'The devices of a workspace, and whether they are stopped',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
    },
    STRICT,
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(device),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
      stop: Type.Union([emergencyStop, Type.Null()]),
      canSimulate: Type.Optional(
        Type.Literal(true, {
          description: 'On a server for development, which can simulate devices itself.',
        }),
      ),
    }),
  },
  problems: [...workspaceRefusals],
})

export const postDevice = endpoint({
  method: 'POST',
  path: DEVICES_PATH,
  name: 'addDevice',
  summary: 'Adds a device. Its key is in this answer and nowhere else',
  tag,
  params: workspaceParams,
  body: Type.Object(
    { name: deviceName, title: Type.Optional(shownText(100, 'The name unless given.')) },
    STRICT,
  ),
  responses: {
    201: Type.Object({
      device,
      key: Type.String({ description: 'The password of the device. Shown once.' }),
      connection: connectionOrNull,
    }),
  },
  problems: [...workspaceChangeRefusals, 'device_exists', 'limit_reached'],
})

const workspaceRef = Type.Object({ owner: handle, repo: repoName })

export const getDevice = endpoint({
  method: 'GET',
  path: `${DEVICES_PATH}/{device}`,
  name: 'readDevice',
  summary: 'A device with the latest value of each channel',
  tag,
  params: deviceParams,
  responses: {
    200: Type.Object({
      device,
      connection: connectionOrNull,
      values: Type.Array(latestValue),
      grants: Type.Array(workspaceRef, { description: 'Other workspaces that have it too.' }),
    }),
  },
  problems: [...refusals],
})

export const deleteDevice = endpoint({
  method: 'DELETE',
  path: `${DEVICES_PATH}/{device}`,
  name: 'removeDevice',
  summary: 'Removes a device with its key, its values and its grants; its connection is closed',
  tag,
  params: deviceParams,
  responses: { 204: null },
  problems: [...changeRefusals],
})

export const postDeviceKey = endpoint({
  method: 'POST',
  path: `${DEVICES_PATH}/{device}/key`,
  name: 'replaceDeviceKey',
  summary: 'Gives the device a new key; the old one ends at once, and so does its connection',
  tag,
  params: deviceParams,
  responses: { 200: Type.Object({ key: Type.String(), connection: connectionOrNull }) },
  problems: [...changeRefusals],
})

const grantParams = Type.Object({
  ...deviceParams.properties,
  toOwner: handle,
  toRepo: repoName,
})

export const putDeviceGrant = endpoint({
  method: 'PUT',
  path: `${DEVICES_PATH}/{device}/grants/{toOwner}/{toRepo}`,
  name: 'grantDevice',
  summary: 'Lets another workspace use the device. Whoever asks must be allowed to change both',
  tag,
  params: grantParams,
  responses: { 204: null },
  problems: [...changeRefusals, 'device_exists', 'limit_reached'],
})

export const deleteDeviceGrant = endpoint({
  method: 'DELETE',
  path: `${DEVICES_PATH}/{device}/grants/{toOwner}/{toRepo}`,
  name: 'revokeDevice',
  summary: 'Takes the device from another workspace; its pages get no more values within two seconds',
  tag,
  params: grantParams,
  responses: { 204: null },
  problems: [...changeRefusals],
})

export const getDeviceValues = endpoint({
  method: 'GET',
  path: `${DEVICES_PATH}/{device}/values`,
  name: 'watchDevice',
  summary: 'The values of a device as they arrive, as server-sent events',
  description:
    'Each event `value` is `{ channel, value, at }`, in the order in which they arrived; of each channel at most `rate` a second, the newest. It begins with the latest known ones and ends after `seconds`.',
  tag,
  params: deviceParams,
  query: Type.Object(
    {
      channel: Type.Optional(channelName),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: DEVICE_LIMITS.watchSeconds,
          default: DEVICE_LIMITS.watchSeconds,
        }),
      ),
      rate: Type.Optional(Type.Integer({ minimum: 1, maximum: DEVICE_LIMITS.rate, default: 10 })),
    },
    STRICT,
  ),
  responses: {
    200: { mediaType: 'text/event-stream', description: 'Events `value`; `gone` when it is removed.' },
  },
  problems: [...refusals, 'too_many_waiting', 'broker_unavailable'],
})

export const COMMAND_STATUSES = ['done', 'sent', 'refused', 'failed', 'timeout'] as const
export type CommandStatus = (typeof COMMAND_STATUSES)[number]

export const commandResult = Type.Object({
  id: Type.String(),
  status: Type.Enum([...COMMAND_STATUSES], {
    description:
      '`done`: the device says so. `sent`: it does not confirm commands. `refused`, `failed`: the device says why. `timeout`: it did not answer in time, and may have carried it out.',
  }),
  message: Type.Union([Type.String(), Type.Null()]),
})
export type CommandResult = Static<typeof commandResult>

export const postDeviceCommand = endpoint({
  method: 'POST',
  path: `${DEVICES_PATH}/{device}/commands`,
  name: 'commandDevice',
  summary: 'Has a device do something, and waits for what it says',
  description:
    'Sent once at most, unless the channel says that repeating does no harm. A repeated request with the same `id` is answered with what became of the first.',
  tag,
  params: deviceParams,
  body: Type.Object(
    {
      channel: channelName,
      value: deviceValue,
      id: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_-]{8,32}$',
          description: 'Of the caller; made up unless given.',
        }),
      ),
      timeoutMs: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: COMMAND_LIMITS.maxTimeoutMs,
          default: COMMAND_LIMITS.timeoutMs,
        }),
      ),
      reason,
    },
    STRICT,
  ),
  responses: { 200: commandResult },
  problems: [
    ...changeRefusals,
    'channel_not_found',
    'command_invalid',
    'device_not_armed',
    'devices_stopped',
    'device_offline',
    'command_id_taken',
    'too_many_waiting',
    'broker_unavailable',
  ],
})

export const putDeviceArming = endpoint({
  method: 'PUT',
  path: `${DEVICES_PATH}/{device}/arming`,
  name: 'armDevice',
  summary: 'Arms a device for a time, by a person in a browser',
  tag,
  params: deviceParams,
  body: Type.Object(
    {
      seconds: Type.Integer({ minimum: 1, maximum: COMMAND_LIMITS.armedSeconds }),
      isForAgents: Type.Optional(Type.Boolean({ default: false })),
    },
    STRICT,
  ),
  responses: { 200: deviceArming },
  problems: [...personRefusals, 'devices_stopped'],
})

export const deleteDeviceArming = endpoint({
  method: 'DELETE',
  path: `${DEVICES_PATH}/{device}/arming`,
  name: 'disarmDevice',
  summary: 'Disarms a device',
  tag,
  params: deviceParams,
  responses: { 204: null },
  problems: [...changeRefusals],
})

const STOP_PATH = `${WORKSPACE_PATH}/emergency-stop` as const

export const putEmergencyStop = endpoint({
  method: 'PUT',
  path: STOP_PATH,
  name: 'stopDevices',
  summary: 'Stops all devices of the workspace, and lets no command through until a person releases them',
  tag,
  params: workspaceParams,
  body: Type.Object({ reason }, STRICT),
  bodyIsOptional: true,
  responses: {
    200: Type.Object({
      stop: emergencyStop,
      devices: Type.Integer({ description: 'How many were told.' }),
    }),
  },
  problems: [...workspaceChangeRefusals, 'broker_unavailable'],
})

export const deleteEmergencyStop = endpoint({
  method: 'DELETE',
  path: STOP_PATH,
  name: 'releaseDevices',
  summary: 'Releases the emergency stop, by a person in a browser; every device is disarmed',
  tag,
  params: workspaceParams,
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'browser_session_required', 'broker_unavailable'],
})

/** On servers for development alone, and so in no reference. */
export const putSimulatedBench = endpoint({
  method: 'PUT',
  path: `${WORKSPACE_PATH}/simulated-bench`,
  name: 'simulateBench',
  summary: 'Adds simulated devices, or takes those that are there, and runs them until the server ends',
  tag,
  params: workspaceParams,
  responses: { 200: Type.Object({ devices: Type.Integer({ description: 'How many are simulated.' }) }) },
  problems: [...workspaceChangeRefusals, 'device_exists', 'limit_reached'],
})

export const DEVICE_KEY_HEADER = 'x-device-key'

export const postDeviceValues = endpoint({
  method: 'POST',
  path: '/api/devices/values',
  name: 'sendValues',
  summary: 'Values of a device, for scripts without MQTT',
  description: 'The device is the one that the key in `X-Device-Key` belongs to.',
  tag,
  headers: Type.Object({ [DEVICE_KEY_HEADER]: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: Type.Record(channelName, deviceValue, {
    minProperties: 1,
    maxProperties: DEVICE_LIMITS.channels,
    additionalProperties: false,
    description: 'By channel.',
  }),
  responses: { 204: null },
  problems: [
    'credential_invalid',
    'rate_limited',
    'limit_reached',
    'broker_unavailable',
    'database_unavailable',
  ],
})
