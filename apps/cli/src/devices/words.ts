import type {
  AddedDevice,
  CommandResult,
  Device,
  DeviceHistory,
  DeviceValue,
  EmergencyStop,
  Recorder,
} from '@patchbay/client/workspaces'
import type { CommandOutcome } from '@patchbay/device-kit/simulation'
import { stripHidden } from '@patchbay/primitives/text'
import { timeInWords } from '../account/words.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { counted } from '../terminal/table.ts'
import type { AskedWorkspace } from '../workspace/open-workspaces.ts'
import { arduinoOf, BOARDS, type Board, EXAMPLE, esphomeOf, micropythonOf } from './programs.ts'

type At = Pick<AskedWorkspace, 'name' | 'server' | 'advise'>

/** Where a person sees the workspace. */
const pageOf = ({ name, server }: At) => `${server}/workspaces/${name}`

export interface Snippets {
  /** `null` where the server takes values over HTTP alone. */
  readonly python: string | null
  readonly mosquitto: string | null
  readonly curl: string
  readonly micropython: string | null
  readonly arduino: string | null
  readonly esphome: string | null
}

/** Programs that send one value, with everything filled in. */
export function snippetsFor(
  { key, connection }: Pick<AddedDevice, 'key' | 'connection'>,
  server: string,
): Snippets {
  const { channel, value } = EXAMPLE
  const curl = [
    `curl ${server}/api/devices/values`,
    `-H 'X-Device-Key: ${key}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify({ [channel]: value })}'`,
  ].join(' ')
  if (connection === null)
    return { python: null, mosquitto: null, curl, micropython: null, arduino: null, esphome: null }
  const { host, port, isTls, username, topic } = connection
  const text = JSON.stringify
  return {
    // `publish.single` is the same in versions 1 and 2 of paho-mqtt; its `Client` is not.
    python: [
      'from paho.mqtt import publish',
      `auth = {"username": ${text(username)}, "password": ${text(key)}}`,
      `publish.single(${text(`${topic}/${channel}`)}, ${value}, hostname=${text(host)}, port=${port}, auth=auth${isTls ? ', tls={}' : ''})`,
    ].join('\n'),
    mosquitto: `mosquitto_pub -h ${host} -p ${port}${isTls ? ' --tls-use-os-certs' : ''} -u ${username} -P ${key} -t '${topic}/${channel}' -m ${value}`,
    curl,
    micropython: micropythonOf({ connection, key }),
    arduino: arduinoOf({ connection, key }),
    esphome: esphomeOf({ connection, key }),
  }
}

export function addedWords(
  { device: { name: device }, key, connection }: AddedDevice,
  snippets: Snippets,
  at: At,
  board: Board | undefined,
): string {
  return [
    `Added ${device} to ${at.name}. Its key is not shown again:`,
    ...keyLines({ device, key, connection }, snippets, at, board),
  ].join('\n')
}

type Keyed = Pick<AddedDevice, 'key' | 'connection'> & { readonly device: string }

export function newKeyWords(keyed: Keyed, snippets: Snippets, at: At, board: Board | undefined): string {
  return [
    `${keyed.device} of ${at.name} has a new key, which is not shown again; the old one has ended:`,
    ...keyLines(keyed, snippets, at, board),
  ].join('\n')
}

const TITLES: Record<Board, string> = {
  micropython: 'MicroPython, with umqtt.simple:',
  arduino: 'Arduino, with PubSubClient:',
  esphome: 'ESPHome, into the configuration of the board:',
}

function keyLines(
  { device, key, connection }: Keyed,
  snippets: Snippets,
  { name, advise }: At,
  board: Board | undefined,
): string[] {
  const connecting =
    connection === null
      ? ['This server takes values over HTTP alone: its operator turns MQTT on with PATCHBAY_MQTT_PORT.']
      : [
          'It connects over MQTT:',
          `  Host      ${connection.host}`,
          `  Port      ${connection.port}, ${connection.isTls ? 'with' : 'without'} TLS`,
          `  Username  ${connection.username}`,
          '  Password  its key',
          `  Topic     ${connection.topic}/<channel>`,
        ]
  const program = board === undefined ? null : snippets[board]
  const programs: readonly (readonly [title: string, code: string | null])[] = [
    ['Python, with paho-mqtt:', snippets.python],
    ['A shell, with mosquitto_pub:', snippets.mosquitto],
    ['A shell, with curl:', snippets.curl],
  ]
  const usual = programs.flatMap(([title, code]) => (code === null ? [] : ['', title, code]))
  return [
    `  ${key}`,
    '',
    ...connecting,
    '',
    ...(board !== undefined && program !== null
      ? [TITLES[board], program]
      : [`Each of these sends the value ${EXAMPLE.value} on the channel "${EXAMPLE.channel}":`, ...usual]),
    '',
    ...(board === undefined && connection !== null
      ? [
          `For a board: ${advise(`device key ${name} ${device} --for ${BOARDS.join('|')}`)} gives it a new key.`,
        ]
      : []),
    `See what arrives with ${advise(`device watch ${name} ${device}`)}.`,
  ]
}

/** One line of the list: name, title, how it is, its channels, and whose it is. */
export function deviceRow(device: Device, { name }: At): string[] {
  const { title, status, seenAt, channels, arming, owner, repo } = device
  const home = `${owner}/${repo}`
  return [
    device.name,
    title === device.name ? '' : stripHidden(title),
    status === 'never' ? 'never connected' : status,
    status === 'offline' && seenAt !== null ? `last seen ${timeInWords(seenAt)}` : '',
    channels.map((channel) => stripHidden(channel.name)).join(', '),
    arming === null
      ? ''
      : `armed${arming.isForAgents ? ' for agents' : ''} until ${timeInWords(arming.until)}`,
    home === name ? '' : `of ${home}`,
  ]
}

export function noDevicesWords({ name, advise }: At): string {
  return `${name} has no devices yet.\nAdd one with ${advise(`device add ${name} <device>`)}.`
}

export function stopWords({ since, by, reason }: EmergencyStop, at: At): string {
  const why = reason === null ? '' : `: ${stripHidden(reason)}`
  return `Stopped by ${stripHidden(by.handle)} since ${timeInWords(since)}${why}\nNo command is sent until a person releases the stop at ${pageOf(at)}`
}

export function stoppedWords(devices: number, at: At): string {
  return `Told ${counted(devices, 'device')} of ${at.name} to stop.\nNo command is sent until a person releases the stop at ${pageOf(at)}`
}

/** As a line of a log shows it: text as it is, anything else as JSON. */
export function valueWords(value: DeviceValue): string {
  return stripHidden(typeof value === 'string' ? value : JSON.stringify(value))
}

export function resultWords({ status, message }: CommandResult, device: string): string {
  const said = message === null || message === '' ? '' : `: ${stripHidden(message)}`
  const WORDS: Record<CommandResult['status'], string> = {
    done: `Done: ${device} has confirmed the command${said === '' ? '.' : said}`,
    sent: `Sent. ${device} does not confirm commands.`,
    refused: `${device} refused the command${said === '' ? '.' : said}`,
    failed: `${device} failed to carry out the command${said === '' ? '.' : said}`,
    timeout: `${device} did not confirm the command in time, and may have carried it out.\nLook at the device before you send it again; --timeout waits longer.`,
  }
  return WORDS[status]
}

export const watchingWords = (device: string) => `Waiting for values of ${device}. End it with Ctrl-C.`

export const REFUSED = {
  value:
    'A value is a number, text, true, false or null, or a list or object of these without anything nested.\nPut JSON in quotes, such as \'{"red": 255}\'.',
  name: (device: string) =>
    `"${stripHidden(device)}" cannot be the name of a device.\nUse at most 32 lower-case letters, digits and hyphens, such as motor-1.`,
  channel: (channel: string) =>
    `"${stripHidden(channel)}" cannot be the name of a channel.\nUse letters, digits and "_.-", such as speed.`,
  gone: (device: string, { name, advise }: At) =>
    `${device} was removed from ${name}, or you may no longer see it.\nSee ${advise(`device list ${name}`)}.`,
  unknown: (device: string, near: string | undefined, { name, advise }: At) =>
    `${name} has no device "${device}".\n${near === undefined ? '' : `Did you mean ${near}? `}See ${advise(`device list ${name}`)}.`,
  exists: (device: string, { name, advise }: At) =>
    `${name} already has a device "${device}".\nChoose another name, or remove that one with ${advise(`device remove ${name} ${device}`)}.`,
  elsewhere: (device: string, home: string, { name, advise }: At) =>
    `${device} belongs to ${home}, which has granted it to ${name}.\nRemove it there: ${advise(`device remove ${home} ${device}`)}.`,
  noChannel: (device: string, channel: string, channels: readonly string[]) =>
    `${device} has no channel "${channel}" that takes commands. Nothing was sent.\n${channels.length === 0 ? 'It takes no commands at all: a device announces in $info which ones it takes.' : `It takes commands on ${channels.join(', ')}.`}`,
  invalid: (device: string, channel: string, detail: string | undefined) =>
    `${channel} of ${device} does not take this value. Nothing was sent.${detail === undefined ? '' : `\n${stripHidden(detail)}`}`,
  notArmed: (device: string, channel: string, at: At) =>
    `${channel} of ${device} moves or powers something, and nobody has armed it for scripts and agents. Nothing was sent.\nA person arms it for agents at ${pageOf(at)}`,
  stopped: (at: At) =>
    `The devices of ${at.name} are stopped. Nothing was sent.\nA person releases the stop at ${pageOf(at)}`,
  offline: (device: string, { name, advise }: At) =>
    `${device} is offline. Nothing was sent.\nCheck its power and its connection; ${advise(`device list ${name}`)} shows when it was last seen.`,
  busy: (device: string) => `${device} has too much to do at this moment. Nothing was sent.\nTry again.`,
  noBroker: (server: string) => `${server} cannot reach devices right now.\nTry again later.`,
}

export const SIMULATION = {
  unknown: (device: string, near: string | undefined, known: readonly string[]) =>
    `There is no simulated device "${stripHidden(device)}".\n${near === undefined ? '' : `Did you mean ${near}? `}There are ${known.join(', ')}.`,
  running: (devices: readonly string[], { name, server, advise }: At) =>
    [
      `Simulating ${counted(devices.length, 'device')} of ${name}: ${devices.join(', ')}.`,
      `See them at ${pageOf({ name, server, advise })}`,
      `or with ${advise(`device watch ${name} ${devices[0] ?? ''}`)}. Ctrl-C ends it.`,
    ].join('\n'),
  ended: (removed: readonly string[]) =>
    removed.length === 0
      ? 'The simulation has ended; its devices stay in the workspace.'
      : `The simulation has ended. Removed ${removed.join(', ')}.`,
  command: (device: string, channel: string, value: DeviceValue, { status, message }: CommandOutcome) =>
    `${device}  ${stripHidden(channel)} = ${valueWords(value)}  ${status}${message === undefined ? '' : `: ${message}`}`,
  stopped: 'Emergency stop: the devices come to rest and take no commands until a person releases them.',
  released: 'The devices were released.',
  lost: (device: string, why: string) => `${device} has lost its connection: ${why}. Trying again…`,
  back: 'All devices are connected again.',
  taken: (device: string, { name, advise }: At) =>
    `${name} has a device "${device}" that is not a simulated one. Nothing was changed.\nSimulate others by their names, or remove that one with ${advise(`device remove ${name} ${device}`)}.`,
  noMqtt: (server: string) =>
    `${server} takes values over HTTP alone, and simulated devices connect over MQTT. Nothing was added.\nIts operator turns MQTT on with PATCHBAY_MQTT_PORT; "patchbay dev" has it.`,
  unreachable: (address: string, why: string) =>
    `Devices connect to ${address}, which cannot be reached from here: ${why}. Nothing was added.\nAsk whoever operates the server whether this port is open.`,
} as const

export const RECORDING = {
  badTime: (text: string) =>
    `"${stripHidden(text)}" is no time.\nUse how long ago, such as 15m, 2h or 3d, or a time such as 2026-11-18T12:00:00Z.`,
  wrongWay: '--from must be before --to.',
  needsOutput: 'An MCAP file is not for a terminal. Name a file with -o, or use --format csv.',
  startOrStop: 'Use --start or --stop, not both.',
  nothing: (device: string) => `${device} has sent no numbers in this time.\nGo further back with --from 1d.`,
}

/** What the columns are, and how long each line stands for. */
export function historyWords({ stepMs, isCut }: DeviceHistory, table: string): string {
  const cut = isCut ? '\nThere are more channels: name one with --channel.' : ''
  return `Each line is ${stepMs / 1_000} s: least, mean, greatest and last value, and how many.\n${table}${cut}`
}

export function recorderWords({ since, by, bytes, maxBytes }: Recorder, { name, advise }: At): string {
  const room = `The recordings of its owner take ${bytesInWords(bytes)} of ${bytesInWords(maxBytes)}.`
  if (since === null)
    return `The devices of ${name} are not recorded. Start with ${advise(`device record ${name} --start`)}.\n${room}`
  const full = bytes >= maxBytes ? '\nThere is no room left: nothing is recorded.' : ''
  return `Recording the devices of ${name} since ${timeInWords(since)}, started by ${stripHidden(by?.handle ?? '')}.\n${room}${full}`
}
