/** What one channel of the device is on the side of ROS. Its other keys go into the self-description as they are. */
export interface MappedChannel {
  readonly topic: string
  readonly type: string
  /** Where in the message the value is, such as `linear.x`. Empty: the message itself. */
  readonly field: string
  /** A command is published to the topic; otherwise the topic is read. */
  readonly isCommand: boolean
  /** What is published at an emergency stop. */
  readonly stop: unknown
  readonly description: Readonly<Record<string, unknown>>
}

export interface ChannelMap {
  readonly device: Readonly<Record<string, unknown>>
  readonly channels: ReadonlyMap<string, MappedChannel>
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const CHANNEL = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,47}$/
const TOPIC = /^\/?[A-Za-z_][\w/]*$/
const FIELD = /^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)?$/

/** Throws with words about the first thing that is wrong. */
export function readMap(text: string): ChannelMap {
  const map: unknown = JSON.parse(text)
  if (!isObject(map) || !isObject(map['channels'])) throw new Error('The map has no "channels".')
  const device = isObject(map['device']) ? map['device'] : {}
  return { device, channels: new Map(Object.entries(map['channels']).map(readChannel)) }
}

function readChannel([name, given]: [string, unknown]): [string, MappedChannel] {
  const fail = (what: string): never => {
    throw new Error(`Channel "${name}" ${what}.`)
  }
  if (!CHANNEL.test(name)) fail('has a name with other characters than letters, digits, "_", "." and "-"')
  if (!isObject(given)) return fail('is no object')
  const { topic, type, field = '', command = false, stop, ...description } = given
  if (typeof topic !== 'string' || !TOPIC.test(topic)) return fail('has no "topic", such as "/odom"')
  if (typeof type !== 'string' || type === '') return fail('has no "type", such as "std_msgs/msg/Float64"')
  if (typeof field !== 'string' || !FIELD.test(field))
    return fail('has a "field" that is no path, such as "linear.x"')
  return [name, { topic, type, field, isCommand: command === true, stop, description }]
}

/** What the device says of itself: the map without what is about ROS. */
export function selfDescription({ device, channels }: ChannelMap): string {
  const components = [...channels].map(([name, { isCommand, description }]) => [
    name,
    { platform: 'sensor', ...description, ...(isCommand && { command_topic: true }) },
  ])
  return JSON.stringify({ device, components: Object.fromEntries(components) })
}

const MOST_MEMBERS = 256

/** The value of a channel in a message of ROS, as a payload. `undefined`: nothing that a channel can show. */
export function payloadIn(message: unknown, { field }: Pick<MappedChannel, 'field'>): string | undefined {
  let value: unknown = message
  for (const name of field === '' ? [] : field.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  if (isObject(value)) {
    // A point or a quaternion is flat but for the header that it may have.
    const flat = Object.entries(value).filter(([, member]) => typeof member !== 'object')
    return flat.length === 0 || flat.length > MOST_MEMBERS
      ? undefined
      : JSON.stringify(Object.fromEntries(flat))
  }
  if (Array.isArray(value))
    return value.length <= MOST_MEMBERS && value.every((member) => typeof member !== 'object')
      ? JSON.stringify(value)
      : undefined
  return value === undefined || value === null
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}

/**
 * Messages for commands. Several channels can be parts of one message, as the speeds of a Twist: each new message has the
 * latest of all of them.
 */
export function createMessages(channels: ChannelMap['channels']): (name: string, value: unknown) => Json {
  const byTopic = new Map<string, Map<string, unknown>>()
  for (const { topic, field, isCommand, stop } of channels.values()) {
    if (!isCommand || stop === undefined) continue
    const fields = byTopic.get(topic) ?? new Map<string, unknown>()
    byTopic.set(topic, fields.set(field, stop))
  }
  return (name, value) => {
    const channel = channels.get(name)
    if (channel === undefined) throw new Error(`no channel "${name}"`)
    const fields = byTopic.get(channel.topic) ?? new Map<string, unknown>()
    byTopic.set(channel.topic, fields.set(channel.field, value))
    const whole = fields.get('')
    const message: Record<string, unknown> = isObject(whole) ? { ...whole } : {}
    for (const [field, part] of fields) if (field !== '') put(message, field.split('.'), part)
    return message
  }
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = into[name]
  const next: Record<string, unknown> = isObject(inner) ? { ...inner } : {}
  into[name] = next
  put(next, rest, value)
}
