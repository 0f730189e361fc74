import { type Static, Type } from 'typebox'
import { DEVICE_LIMITS } from '../core/limits.ts'
import { channelName, deviceName, deviceValue } from './channels.ts'
import { emergencyStop } from './devices.ts'

/** Names what a page and the server say of devices over the workspace's socket. */
export const DEVICES_CHANNEL = 'devices'

const STRICT = { additionalProperties: false } as const

export const devicesRequest = Type.Object(
  {
    type: Type.Literal('watch'),
    channels: Type.Array(
      Type.Object(
        {
          device: deviceName,
          channel: channelName,
          rate: Type.Integer({
            minimum: 1,
            maximum: DEVICE_LIMITS.rate,
            description: 'Values a second, at most.',
          }),
        },
        STRICT,
      ),
      { maxItems: DEVICE_LIMITS.watchedChannels },
    ),
  },
  {
    ...STRICT,
    description:
      'All that the page shows from now on; what it showed before and is not named ends. The latest known values come first.',
  },
)
export type DevicesRequest = Static<typeof devicesRequest>

export const devicesNews = Type.Union([
  Type.Object(
    {
      type: Type.Literal('values'),
      values: Type.Array(
        Type.Object({
          device: deviceName,
          channel: channelName,
          value: deviceValue,
          at: Type.Integer({
            description: 'Milliseconds since 1970: of the device if it says so, otherwise of the server.',
          }),
        }),
      ),
    },
    { description: 'The newest of each channel since the message before.' },
  ),
  Type.Object(
    { type: Type.Literal('changed') },
    {
      description:
        'Devices, their channels, their status or their arming have changed: the page reads them again.',
    },
  ),
  Type.Object(
    { type: Type.Literal('stop'), stop: Type.Union([emergencyStop, Type.Null()]) },
    { description: 'The devices of the workspace were stopped, or released.' },
  ),
  Type.Object(
    { type: Type.Literal('link'), isUp: Type.Boolean() },
    { description: 'Whether this node hears of devices at all. While it does not, no value is live.' },
  ),
])
export type DevicesNews = Static<typeof devicesNews>
