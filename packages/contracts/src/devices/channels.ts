import { type Static, Type } from 'typebox'
import { DEVICE_LIMITS } from '../core/limits.ts'

/** Part of topics and of addresses. */
export const DEVICE_NAME_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$'
export const deviceName = Type.String({
  pattern: DEVICE_NAME_PATTERN,
  description:
    'Such as `motor-1`: at most 32 lower-case letters, digits and hyphens. One name per workspace.',
})

export const CHANNEL_NAME_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,47}$'
export const channelName = Type.String({
  pattern: CHANNEL_NAME_PATTERN,
  description: 'Such as `speed`: the level of the topic below the device.',
})

/** What a value on the wire can be: a number, text, a truth value, or a flat object or list of these. */
export type DeviceScalar = number | string | boolean | null
export type DeviceValue = DeviceScalar | readonly DeviceScalar[] | { readonly [member: string]: DeviceScalar }

const scalar = Type.Union([
  Type.Number(),
  Type.String({ maxLength: DEVICE_LIMITS.valueBytes }),
  Type.Boolean(),
  Type.Null(),
])
export const deviceValue = Type.Unsafe<DeviceValue>(
  Type.Union([
    scalar,
    Type.Array(scalar, { maxItems: DEVICE_LIMITS.members }),
    Type.Record(Type.String({ maxLength: 48 }), scalar, { maxProperties: DEVICE_LIMITS.members }),
  ]),
)

/** The kinds of entities of Home Assistant's MQTT discovery that have a meaning here. */
export const CHANNEL_PLATFORMS = [
  'sensor',
  'binary_sensor',
  'number',
  'switch',
  'light',
  'button',
  'select',
  'text',
] as const
export type ChannelPlatform = (typeof CHANNEL_PLATFORMS)[number]

const optionalNumber = Type.Union([Type.Number(), Type.Null()])
const optionalText = (maxLength: number, description: string) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], { description })

export const deviceChannel = Type.Object({
  name: channelName,
  title: Type.String({ maxLength: 100 }),
  platform: Type.Enum([...CHANNEL_PLATFORMS]),
  deviceClass: optionalText(48, 'What is measured or moved, such as `temperature` or `motor`.'),
  unit: optionalText(24, 'Such as `°C`.'),
  min: optionalNumber,
  max: optionalNumber,
  step: optionalNumber,
  options: Type.Union([
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: DEVICE_LIMITS.members }),
    Type.Null(),
  ]),
  takesCommands: Type.Boolean({ description: 'Whether it takes commands.' }),
  isIdempotent: Type.Boolean({
    description: 'A command that was sent twice does what one does, so that it may be repeated.',
  }),
  isGuarded: Type.Boolean({
    description: 'It moves or powers something: commands need a person who has armed the device.',
  }),
  staleAfterMs: Type.Integer({ description: 'How long a value is believed without a newer one.' }),
})
export type DeviceChannel = Static<typeof deviceChannel>
