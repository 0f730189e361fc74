import {
  type Broker,
  createEmbeddedBroker,
  createExternalBroker,
  type DevicesSettings,
  type RecordingSettings,
} from '@patchbay/devices'
import {
  type Fault,
  integer,
  optional,
  port,
  secretText,
  text,
  url,
  withDefault,
} from '@patchbay/kernel/config'
import type { Addresses } from '@patchbay/kernel/http'
import type { Log, Secret } from '@patchbay/kernel/log'

export const devicesSettings = {
  mqttPort: optional(
    {
      variable: 'PATCHBAY_MQTT_PORT',
      meaning:
        'The port on which devices connect over MQTT, with and without WebSocket, 8799 by custom; not encrypted, so that a proxy ends TLS in front of it. Unset: devices send values over HTTP alone. For one node: several share a broker beside them (PATCHBAY_MQTT_BROKER_URL).',
    },
    port,
  ),
  mqttHost: withDefault(
    {
      variable: 'PATCHBAY_MQTT_HOST',
      meaning: 'The address on which MQTT is listened for. `0.0.0.0` opens it to the network.',
    },
    text,
    '127.0.0.1',
  ),
  mqttConnections: withDefault(
    {
      variable: 'PATCHBAY_MQTT_CONNECTIONS',
      meaning:
        'How many devices may be connected on PATCHBAY_MQTT_PORT at once. Each holds a file descriptor of the process.',
    },
    integer({ min: 1, max: 1_000_000 }),
    10_000,
  ),
  brokerUrl: optional(
    {
      variable: 'PATCHBAY_MQTT_BROKER_URL',
      meaning:
        'The MQTT broker beside the nodes, which devices connect to instead of PATCHBAY_MQTT_PORT; tested with RabbitMQ. Needed as soon as there are two nodes with devices.',
    },
    url(['mqtt', 'mqtts']),
  ),
  brokerManagementUrl: optional(
    {
      variable: 'PATCHBAY_MQTT_BROKER_MANAGEMENT_URL',
      meaning:
        'The management of that broker, which ends the connections of devices that are removed or get a new key.',
    },
    url(['http', 'https']),
  ),
  brokerUsername: withDefault(
    {
      variable: 'PATCHBAY_MQTT_BROKER_USERNAME',
      meaning: 'The name of the nodes at the broker and its management.',
    },
    text,
    'patchbay',
  ),
  brokerPassword: optional(
    {
      variable: 'PATCHBAY_MQTT_BROKER_PASSWORD',
      meaning: 'The password of the nodes at the broker and its management.',
    },
    secretText,
  ),
  brokerSecret: optional(
    {
      variable: 'PATCHBAY_MQTT_BROKER_SECRET',
      meaning:
        'Part of the addresses `/broker/<secret>/…` at which the broker asks the nodes who may do what: 32 letters and digits or more, the same on every node.',
    },
    secretText,
  ),
  brokerPublicUrl: optional(
    {
      variable: 'PATCHBAY_MQTT_BROKER_PUBLIC_URL',
      meaning: 'Where devices reach the broker. Unset: PATCHBAY_MQTT_BROKER_URL.',
    },
    url(['mqtt', 'mqtts']),
  ),
  deviceSecondsDays: withDefault(
    {
      variable: 'PATCHBAY_DEVICE_SECONDS_DAYS',
      meaning: 'How many days the numbers of devices are kept by the second.',
    },
    integer({ min: 1, max: 365 }),
    7,
  ),
  deviceMinutesWeeks: withDefault(
    {
      variable: 'PATCHBAY_DEVICE_MINUTES_WEEKS',
      meaning: 'How many weeks they are kept by the minute.',
    },
    integer({ min: 1, max: 520 }),
    8,
  ),
  deviceHoursDays: withDefault(
    {
      variable: 'PATCHBAY_DEVICE_HOURS_DAYS',
      meaning: 'How many days they are kept by the hour.',
    },
    integer({ min: 1, max: 3_650 }),
    365,
  ),
  recordingsDays: withDefault(
    {
      variable: 'PATCHBAY_RECORDINGS_DAYS',
      meaning: 'How many days recordings of devices are kept.',
    },
    integer({ min: 1, max: 3_650 }),
    30,
  ),
  recordingsGibPerOwner: withDefault(
    {
      variable: 'PATCHBAY_RECORDINGS_GIB_PER_OWNER',
      meaning:
        'How many GiB the recordings of all devices of one owner may take. Beyond it nothing is recorded.',
    },
    integer({ min: 1, max: 1_000_000 }),
    10,
  ),
}

interface RecordingConfig {
  readonly deviceSecondsDays: number
  readonly deviceMinutesWeeks: number
  readonly deviceHoursDays: number
  readonly recordingsDays: number
  readonly recordingsGibPerOwner: number
}

export function recordingOf(config: RecordingConfig): RecordingSettings {
  return {
    secondsDays: config.deviceSecondsDays,
    minutesWeeks: config.deviceMinutesWeeks,
    hoursDays: config.deviceHoursDays,
    fileDays: config.recordingsDays,
    ownerBytes: config.recordingsGibPerOwner * 1024 ** 3,
  }
}

interface MqttConfig {
  readonly mqttPort: number | undefined
  readonly mqttHost: string
  readonly mqttConnections: number
  readonly brokerUrl: string | undefined
  readonly brokerManagementUrl: string | undefined
  readonly brokerUsername: string
  readonly brokerPassword: Secret | undefined
  readonly brokerSecret: Secret | undefined
  readonly brokerPublicUrl: string | undefined
}

const SECRET = /^[\w-]{32,}$/

export function brokerFaults(config: MqttConfig): Fault[] {
  const { brokerUrl, brokerManagementUrl, brokerPassword, brokerSecret, mqttPort } = config
  if (brokerUrl === undefined) return []
  const missing = [
    ...(brokerManagementUrl === undefined ? ['PATCHBAY_MQTT_BROKER_MANAGEMENT_URL'] : []),
    ...(brokerPassword === undefined ? ['PATCHBAY_MQTT_BROKER_PASSWORD'] : []),
    ...(brokerSecret === undefined ? ['PATCHBAY_MQTT_BROKER_SECRET'] : []),
  ]
  return [
    ...missing.map((variable) => ({
      variable,
      wrong: 'is not set, but PATCHBAY_MQTT_BROKER_URL names a broker',
    })),
    ...(brokerSecret !== undefined && !SECRET.test(brokerSecret.reveal())
      ? [{ variable: 'PATCHBAY_MQTT_BROKER_SECRET', wrong: 'must have 32 letters and digits or more' }]
      : []),
    ...(mqttPort === undefined
      ? []
      : [
          {
            variable: 'PATCHBAY_MQTT_PORT',
            wrong: 'is set, but devices connect to PATCHBAY_MQTT_BROKER_URL',
          },
        ]),
  ]
}

/** The broker, and what devices are told of it. */
export async function openBroker(
  config: MqttConfig,
  {
    node,
    log,
    addresses: { publicUrl, allowedOrigins },
  }: { readonly node: string; readonly log: Log; readonly addresses: Addresses },
): Promise<{ readonly broker: Broker; readonly settings: Omit<DevicesSettings, 'recording'> }> {
  const { brokerUrl, brokerManagementUrl, brokerUsername: username, brokerPassword: password } = config
  if (brokerUrl !== undefined && brokerManagementUrl !== undefined && password !== undefined) {
    const places = { url: brokerUrl, managementUrl: brokerManagementUrl }
    const broker = createExternalBroker({ ...places, username, password, node, log })
    const mqtt = placeOf(config.brokerPublicUrl ?? brokerUrl)
    return { broker, settings: { mqtt, brokerSecret: config.brokerSecret } }
  }
  const { mqttHost: host, mqttPort, mqttConnections: connections } = config
  const listen =
    mqttPort === undefined ? {} : { listen: { host, port: mqttPort, connections, allowedOrigins } }
  const broker = await createEmbeddedBroker({ log, ...listen })
  // The host of the public URL, and the port that is listened on.
  const mqtt =
    broker.port === undefined
      ? undefined
      : { host: new URL(publicUrl).hostname, port: broker.port, isTls: false }
  return { broker, settings: { mqtt, brokerSecret: undefined } }
}

function placeOf(address: string): DevicesSettings['mqtt'] {
  const { protocol, hostname, port: given } = new URL(address)
  const isTls = protocol === 'mqtts:'
  return { host: hostname, port: Number(given === '' ? (isTls ? 8883 : 1883) : given), isTls }
}
