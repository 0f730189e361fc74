export interface DevicePlace {
  readonly owner: string
  readonly repo: string
  readonly device: string
}

/** What a topic of a device is about. `value`: everything that is none of the others. */
export type TopicKind = 'value' | 'set' | 'ack' | 'info' | 'status' | 'stop' | 'stop_ack' | 'discovery'

export interface DeviceTopic extends DevicePlace {
  readonly kind: TopicKind
  /** What follows the device: `speed`, `speed/set`, `$info`. */
  readonly suffix: string
}

/** What the topics of all devices begin with. */
export const ROOT = 'pb'
export const INFO = '$info'
export const STATUS = '$status'
export const STOP = '$stop'
export const STOP_ACK = '$stop/ack'
/** Below it a device announces itself as it would to Home Assistant. */
export const DISCOVERY = '$discovery'
const SET = '/set'
const ACK = '/ack'

/** RabbitMQ has topics in routing keys of at most 255 bytes. */
export const LONGEST_TOPIC = 250

/** Brokers that stand on AMQP, as RabbitMQ does, take a dot for a slash: `board.v2` would share topics with a device of `board`. */
const DOT = '~'

/** What all topics of a device begin with. */
export function topicOf({ owner, repo, device }: DevicePlace): string {
  return `${ROOT}/${owner}/${repo.replaceAll('.', DOT)}/${device}`
}

/** Of every message: without splitting, which would make eight objects of each. */
export function readTopic(topic: string): DeviceTopic | undefined {
  if (topic.length > LONGEST_TOPIC || !topic.startsWith(`${ROOT}/`)) return undefined
  if (topic.includes('//') || topic.endsWith('/')) return undefined
  const ownerAt = ROOT.length + 1
  const repoAt = topic.indexOf('/', ownerAt) + 1
  const deviceAt = repoAt === 0 ? 0 : topic.indexOf('/', repoAt) + 1
  const suffixAt = deviceAt === 0 ? 0 : topic.indexOf('/', deviceAt) + 1
  if (suffixAt === 0) return undefined
  const repo = topic.slice(repoAt, deviceAt - 1)
  const suffix = topic.slice(suffixAt)
  return {
    owner: topic.slice(ownerAt, repoAt - 1),
    repo: repo.includes(DOT) ? repo.replaceAll(DOT, '.') : repo,
    device: topic.slice(deviceAt, suffixAt - 1),
    suffix,
    kind: kindOf(suffix),
  }
}

function kindOf(suffix: string): TopicKind {
  if (suffix === INFO) return 'info'
  if (suffix === STATUS) return 'status'
  if (suffix === STOP) return 'stop'
  if (suffix === STOP_ACK) return 'stop_ack'
  if (suffix.startsWith(`${DISCOVERY}/`)) return 'discovery'
  if (suffix.endsWith(SET)) return 'set'
  return suffix.endsWith(ACK) ? 'ack' : 'value'
}

/** A device says everything below its own topic but what it is told itself. */
export function mayPublish(base: string, topic: string): boolean {
  if (!topic.startsWith(`${base}/`) || /[+#\0]/.test(topic)) return false
  const read = readTopic(topic)
  return read !== undefined && read.kind !== 'set' && read.kind !== 'stop'
}

/** A device hears what is below its own topic: its commands, and what it said itself. */
export function maySubscribe(base: string, filter: string): boolean {
  return filter.startsWith(`${base}/`) && filter.length <= LONGEST_TOPIC && !filter.includes('\0')
}
