import {
  type Acknowledgement,
  commandFault,
  INFO,
  readCommand,
  readInfo,
  STATUS,
  STOP,
  STOP_ACK,
} from '@patchbay/device-kit'
import mqtt from 'mqtt'
import { type ChannelMap, createMessages, payloadIn, selfDescription } from './channel-map.ts'
import { openRosbridge } from './rosbridge.ts'

export interface BridgeOptions {
  /** Of rosbridge, such as `ws://robot.local:9090`. */
  readonly rosbridge: string
  /** Of the broker, such as `mqtt://localhost:8799`. */
  readonly broker: string
  readonly username: string
  readonly key: string
  /** What the topics of the device begin with, such as `pb/ada/bench/rover`. */
  readonly topic: string
  readonly map: ChannelMap
  readonly log: (text: string) => void
}

export interface Bridge {
  close(): Promise<void>
}

const MOST_REMEMBERED = 100

/** A robot on ROS as a device: topics become channels, and commands become messages. */
export function startBridge({ rosbridge, broker, username, key, topic, map, log }: BridgeOptions): Bridge {
  const info = selfDescription(map)
  const described = new Map((readInfo(info)?.channels ?? []).map((channel) => [channel.name, channel]))
  const messageFor = createMessages(map.channels)
  const commands = [...map.channels].filter(([, { isCommand }]) => isCommand)
  const reads = [...map.channels].filter(([, { isCommand }]) => !isCommand)
  /** Ids that were carried out, and how: MQTT may deliver a command twice. */
  const done = new Map<string, Acknowledgement>()
  let isStopped = false

  const device = mqtt.connect(broker, {
    username,
    password: key,
    clientId: username,
    keepalive: 15,
    reconnectPeriod: 2_000,
    // What was not sent while there was no connection is old when there is one.
    queueQoSZero: false,
    will: { topic: `${topic}/${STATUS}`, payload: Buffer.from('offline'), qos: 1, retain: true },
  })
  const ros = openRosbridge({
    url: rosbridge,
    reads: distinct(reads.map(([, channel]) => channel)),
    writes: distinct(commands.map(([, channel]) => channel)),
    onMessage(of, message) {
      for (const [name, channel] of reads) {
        const payload = channel.topic === of ? payloadIn(message, channel) : undefined
        if (payload !== undefined) device.publish(`${topic}/${name}`, payload)
      }
    },
    onChange(isUp) {
      log(isUp ? `connected to ${rosbridge}` : `no connection to ${rosbridge}`)
      if (isUp && isStopped) stop()
      sayStatus(isUp)
    },
  })

  function sayStatus(isUp: boolean): void {
    if (device.connected)
      device.publish(`${topic}/${STATUS}`, isUp ? 'online' : 'offline', { qos: 1, retain: true })
  }

  device.on('error', (error) => log(error.message))
  device.on('close', () => log(`no connection to ${broker}`))
  device.on('connect', () => {
    log(`connected to ${broker} as ${topic}`)
    device.subscribe([...commands.map(([name]) => `${topic}/${name}/set`), `${topic}/${STOP}`], { qos: 1 })
    device.publish(`${topic}/${INFO}`, info, { qos: 1, retain: true })
    sayStatus(ros.isUp)
  })
  device.on('message', (of, bytes) => {
    const suffix = of.slice(topic.length + 1)
    if (suffix === STOP) return setStopped(bytes.toString())
    const name = suffix.slice(0, -'/set'.length)
    const command = readCommand(bytes.toString())
    if (command === undefined) return
    const known = done.get(command.id)
    const answer = known ?? { id: command.id, ...carryOut(name, command.value, command.deadline) }
    if (known === undefined) remember(answer)
    device.publish(`${topic}/${name}/ack`, JSON.stringify(answer), { qos: 1 })
    if (answer.status === 'done') device.publish(`${topic}/${name}`, JSON.stringify(command.value))
  })

  function carryOut(name: string, value: unknown, deadline: number): Omit<Acknowledgement, 'id'> {
    const channel = map.channels.get(name)
    const description = described.get(name)
    if (channel?.isCommand !== true || description === undefined)
      return { status: 'refused', message: `no command "${name}"` }
    if (isStopped) return { status: 'refused', message: 'stopped' }
    if (deadline < Date.now()) return { status: 'refused', message: 'too late' }
    const fault = commandFault(description, value as Parameters<typeof commandFault>[1])
    if (fault !== undefined) return { status: 'refused', message: fault }
    const isSent = ros.publish(channel.topic, messageFor(name, value))
    return isSent ? { status: 'done', message: null } : { status: 'failed', message: 'no connection to ROS' }
  }

  function remember(answer: Acknowledgement): void {
    done.set(answer.id, answer)
    const [oldest] = done.keys()
    if (done.size > MOST_REMEMBERED && oldest !== undefined) done.delete(oldest)
  }

  function setStopped(text: string): void {
    // Anything but a release stops: a word that was not understood must not leave the robot moving.
    let said: { stop?: unknown; id?: unknown } = {}
    // A retained message that was taken back.
    if (text === '') return
    try {
      said = (JSON.parse(text) ?? {}) as typeof said
    } catch {
      log(`not understood, so stopped: ${text.slice(0, 80)}`)
    }
    isStopped = said.stop !== false
    if (isStopped) stop()
    if (typeof said.id === 'string')
      device.publish(`${topic}/${STOP_ACK}`, JSON.stringify({ id: said.id, status: 'done' }), { qos: 1 })
  }

  function stop(): void {
    const messages = new Map<string, unknown>()
    for (const [name, channel] of commands)
      if (channel.stop !== undefined) messages.set(channel.topic, messageFor(name, channel.stop))
    for (const [of, message] of messages) ros.publish(of, message)
  }

  return {
    async close() {
      sayStatus(false)
      ros.close()
      await device.endAsync()
    },
  }
}

function distinct<Topic extends { topic: string; type: string }>(
  channels: readonly Topic[],
): readonly Topic[] {
  return [...new Map(channels.map((channel) => [channel.topic, channel])).values()]
}
