import type { DevicesSettings } from '@patchbay/devices'
import { optional, port, text, withDefault } from '@patchbay/kernel/config'

export const devicesSettings = {
  mqttPort: optional(
    {
      variable: 'PATCHBAY_MQTT_PORT',
      meaning:
        'The port on which devices connect over MQTT, 8799 by custom; not encrypted, so that a proxy ends TLS in front of it. Unset: devices send values over HTTP alone. For one node: devices of one are not seen by another.',
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
}

interface MqttConfig {
  readonly mqttPort: number | undefined
  readonly mqttHost: string
}

export function listenOf({ mqttHost, mqttPort }: MqttConfig) {
  return mqttPort === undefined ? {} : { listen: { host: mqttHost, port: mqttPort } }
}

/** What devices are told: the host of the public URL, and the port that is listened on. */
export function mqttOf(publicUrl: string, listening: number | undefined): DevicesSettings['mqtt'] {
  if (listening === undefined) return undefined
  return { host: new URL(publicUrl).hostname, port: listening, isTls: false }
}
