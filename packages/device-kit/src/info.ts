import {
  CHANNEL_NAME_PATTERN,
  CHANNEL_PLATFORMS,
  type ChannelPlatform,
  type DeviceChannel,
} from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'

/** A channel, and where on the wire it is. */
export interface ChannelBinding extends DeviceChannel {
  /** Of the topic with its values, below the device. */
  readonly stateTopic: string
  /** The member of a JSON value that is meant; `null`: the value itself. */
  readonly member: string | null
  /** Of the topic with its commands, below the device. */
  readonly commandTopic: string | null
  /** Whether the device answers commands. Those that announce themselves to Home Assistant do not. */
  readonly isConfirming: boolean
  /** What stands for on and off. */
  readonly payloadOn: string
  readonly payloadOff: string
}

export interface DeviceInfo {
  readonly title: string | null
  readonly manufacturer: string | null
  readonly model: string | null
  readonly version: string | null
  readonly channels: readonly ChannelBinding[]
}

type Json = Readonly<Record<string, unknown>>

/** Home Assistant's abbreviations of the fields that are read here; small devices use them. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  cmps: 'components',
  cmd_t: 'command_topic',
  dev: 'device',
  dev_cla: 'device_class',
  exp_aft: 'expire_after',
  mdl: 'model',
  mf: 'manufacturer',
  ops: 'options',
  p: 'platform',
  pl_off: 'payload_off',
  pl_on: 'payload_on',
  stat_t: 'state_topic',
  sw: 'sw_version',
  uniq_id: 'unique_id',
  unit_of_meas: 'unit_of_measurement',
  val_tpl: 'value_template',
}

const isName = new RegExp(CHANNEL_NAME_PATTERN)
/** The one template that is understood: a member of a JSON value. */
const MEMBER =
  /^\{\{\s*value_json(?:\.([A-Za-z0-9_]{1,48})|\[\s*['"]([^'"\]]{1,48})['"]\s*\])\s*(?:\|[^{}]*)?\}\}$/
/** Without anything said: what these are moves or powers something. */
export const GUARDED_CLASSES: ReadonlySet<string> = new Set([
  'motor',
  'servo',
  'drone',
  'outlet',
  'power_supply',
  'heater',
  'valve',
])

/**
 * What a device says of itself in `$info`: the shape of Home Assistant's device discovery, `device` and `components`, where
 * a component's key is the channel. What is not understood of it is left out. `undefined`: it is not JSON at all.
 */
export function readInfo(text: string): DeviceInfo | undefined {
  const info = parseObject(text)
  if (info === undefined) return undefined
  const components = Object.entries(objectOf(info['components']) ?? {}).slice(0, DEVICE_LIMITS.channels)
  return {
    ...readDevice(info),
    channels: components.flatMap(([name, component]) => readComponent(name, component)),
  }
}

function readDevice(info: Json): Omit<DeviceInfo, 'channels'> {
  const device = objectOf(info['device']) ?? {}
  return {
    title: textOf(device['name'], 100),
    manufacturer: textOf(device['manufacturer'], 100),
    model: textOf(device['model'], 100),
    version: textOf(device['sw_version'], 100),
  }
}

function readComponent(name: string, given: unknown): ChannelBinding[] {
  const component = objectOf(given)
  const platform = platformOf(component?.['platform'] ?? 'sensor')
  if (component === undefined || platform === undefined || !isName.test(name)) return []
  const takesCommands = component['command_topic'] !== undefined && component['command_topic'] !== false
  return [
    {
      ...describe(name, platform, component),
      takesCommands,
      stateTopic: name,
      member: null,
      commandTopic: takesCommands ? `${name}/set` : null,
      isConfirming: true,
    },
  ]
}

function describe(name: string, platform: ChannelPlatform, component: Json) {
  const deviceClass = textOf(component['device_class'], 48)
  const expiry = numberOf(component['expire_after'])
  const options = Array.isArray(component['options'])
    ? component['options'].flatMap((option) => textOf(option, 64) ?? []).slice(0, DEVICE_LIMITS.members)
    : null
  return {
    name,
    title: textOf(component['name'], 100) ?? name,
    platform,
    deviceClass,
    unit: textOf(component['unit_of_measurement'], 24),
    min: numberOf(component['min']),
    max: numberOf(component['max']),
    step: numberOf(component['step']),
    options,
    isIdempotent: component['idempotent'] === true,
    isGuarded:
      typeof component['guarded'] === 'boolean'
        ? component['guarded']
        : platform !== 'sensor' && platform !== 'binary_sensor' && GUARDED_CLASSES.has(deviceClass ?? ''),
    staleAfterMs:
      expiry === null || expiry <= 0
        ? DEVICE_LIMITS.staleAfterMs
        : Math.min(Math.max(Math.round(expiry * 1000), 100), 86_400_000),
    payloadOn: textOf(component['payload_on'], 64) ?? 'ON',
    payloadOff: textOf(component['payload_off'], 64) ?? 'OFF',
  }
}

/**
 * One entity as ESPHome, Tasmota and Zigbee2MQTT announce it, at `$discovery/<platform>/[<node>/]<object>/config` below the
 * device. Topics outside the device are nothing of it. `undefined`: nothing that has a meaning here.
 */
export function readDiscovery(base: string, suffix: string, text: string): DeviceInfo | undefined {
  const [, kind, ...path] = suffix.split('/')
  if (path.at(-1) !== 'config') return undefined
  const config = expandHome(parseObject(text))
  if (config === undefined) return undefined
  if (kind === 'device') {
    const entities = Object.entries(objectOf(config['components']) ?? {}).slice(0, DEVICE_LIMITS.channels)
    const channels = entities.flatMap(([name, entity]) => {
      const fields = objectOf(entity)
      return fields === undefined
        ? []
        : readEntity(base, name, fields['platform'], expandHome({ '~': config['~'], ...fields }) ?? {})
    })
    return { ...readDevice(config), channels }
  }
  const name = (path.at(-2) ?? '').replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 48)
  return { ...readDevice(config), channels: readEntity(base, name, kind, config) }
}

function readEntity(base: string, name: string, kind: unknown, entity: Json): ChannelBinding[] {
  const platform = platformOf(kind)
  if (platform === undefined || !isName.test(name)) return []
  const stateTopic = within(base, entity['state_topic'])
  const commandTopic = within(base, entity['command_topic'])
  const template = textOf(entity['value_template'], 200)
  const member = template === null ? null : MEMBER.exec(template)
  // A template of another form would show something that the device does not mean.
  if (stateTopic === null && commandTopic === null) return []
  if (template !== null && member === null) return []
  return [
    {
      ...describe(name, platform, entity),
      takesCommands: commandTopic !== null,
      stateTopic: stateTopic ?? name,
      member: member?.[1] ?? member?.[2] ?? null,
      commandTopic,
      isConfirming: false,
    },
  ]
}

/** What is known of a channel that a device has sent a value of and said nothing about. */
export function guessChannel(name: string, value: unknown): ChannelBinding | undefined {
  if (!isName.test(name)) return undefined
  const platform = typeof value === 'boolean' ? 'binary_sensor' : 'sensor'
  return {
    ...describe(name, platform, {}),
    takesCommands: false,
    stateTopic: name,
    member: null,
    commandTopic: null,
    isConfirming: true,
  }
}

/** `~` at either end of a topic stands for what the field of this name says. */
function expandHome(config: Json | undefined): Json | undefined {
  const home = config?.['~']
  if (config === undefined || typeof home !== 'string') return config
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) =>
      typeof value === 'string' && name.endsWith('_topic')
        ? [name, value.replace(/^~/, home).replace(/~$/, home)]
        : [name, value],
    ),
  )
}

function within(base: string, topic: unknown): string | null {
  if (typeof topic !== 'string' || !topic.startsWith(`${base}/`) || /[+#\0]/.test(topic)) return null
  return topic.slice(base.length + 1)
}

function parseObject(text: string): Json | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** With abbreviated names written out. */
function objectOf(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      Object.hasOwn(LONG_NAMES, name) ? LONG_NAMES[name] : name,
      member,
    ]),
  )
}

const platformOf = (kind: unknown) => CHANNEL_PLATFORMS.find((platform) => platform === kind)

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
function textOf(value: unknown, length: number): string | null {
  if (typeof value !== 'string') return null
  const shown = value.replaceAll(HIDDEN, '').trim().slice(0, length)
  return shown === '' ? null : shown
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
