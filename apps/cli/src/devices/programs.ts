import type { DeviceConnection } from '@patchbay/client/workspaces'

/** The value that each program sends. */
export const EXAMPLE = { channel: 'temperature', value: 21.5 } as const

/** Programs for boards, which hold their key. */
export const BOARDS = ['micropython', 'arduino', 'esphome'] as const
export type Board = (typeof BOARDS)[number]

interface Credentials {
  readonly connection: DeviceConnection
  readonly key: string
}

// JSON is a literal of Python and of C++ as well, for the characters that names and keys have.
const text = JSON.stringify

/** With `umqtt.simple`, which `mip` installs; the board is on the network. */
export function micropythonOf({ connection, key }: Credentials): string {
  const { host, port, isTls, username, topic } = connection
  return [
    '# Once, on the board: import mip; mip.install("umqtt.simple")',
    ...(isTls
      ? [
          'import ssl',
          'tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)',
          '# tls.load_verify_locations(cadata=...) with the certificate that the server is signed with',
        ]
      : []),
    'from umqtt.simple import MQTTClient',
    `client = MQTTClient(${text(username)}, ${text(host)}, port=${port}, user=${text(username)}, password=${text(key)}${isTls ? ', ssl=tls' : ''})`,
    'client.connect()',
    `client.publish(${text(`${topic}/${EXAMPLE.channel}`)}, "${EXAMPLE.value}")`,
    'client.disconnect()',
  ].join('\n')
}

/** With PubSubClient, on a board with Wi-Fi. */
export function arduinoOf({ connection, key }: Credentials): string {
  const { host, port, isTls, username, topic } = connection
  const client = isTls ? 'WiFiClientSecure' : 'WiFiClient'
  return [
    '#include <WiFi.h>',
    ...(isTls ? ['#include <WiFiClientSecure.h>'] : []),
    '#include <PubSubClient.h>',
    '',
    `${client} network;`,
    'PubSubClient client(network);',
    '',
    'void setup() {',
    '  WiFi.begin("YOUR NETWORK", "ITS PASSWORD");',
    '  while (WiFi.status() != WL_CONNECTED) delay(200);',
    ...(isTls ? ['  // network.setCACert(...) with the certificate that the server is signed with'] : []),
    `  client.setServer(${text(host)}, ${port});`,
    '}',
    '',
    'void loop() {',
    `  if (!client.connected()) client.connect(${text(username)}, ${text(username)}, ${text(key)});`,
    `  client.publish(${text(`${topic}/${EXAMPLE.channel}`)}, "${EXAMPLE.value}");`,
    '  client.loop();',
    '  delay(1000);',
    '}',
  ].join('\n')
}

/** The part of an ESPHome configuration that connects it; what it measures is announced by itself. */
export function esphomeOf({ connection, key }: Credentials): string {
  const { host, port, isTls, username, topic } = connection
  const status = (payload: string) => [
    `    topic: ${text(`${topic}/$status`)}`,
    `    payload: ${payload}`,
    '    retain: true',
  ]
  return [
    'mqtt:',
    `  broker: ${text(host)}`,
    `  port: ${port}`,
    `  username: ${text(username)}`,
    `  password: ${text(key)}`,
    `  client_id: ${text(username)}`,
    ...(isTls ? ['  # certificate_authority: with the certificate that the server is signed with'] : []),
    `  topic_prefix: ${text(topic)}`,
    `  discovery_prefix: ${text(`${topic}/$discovery`)}`,
    '  log_topic: null',
    '  birth_message:',
    ...status('online'),
    '  will_message:',
    ...status('offline'),
  ].join('\n')
}
