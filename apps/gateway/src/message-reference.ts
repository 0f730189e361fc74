import { CLOSE_CODES } from '@patchbay/contracts/core'
import {
  callbackMessage,
  errorMessage,
  GATEWAY_ERROR_REASONS,
  registeredMessage,
  registerMessage,
  unregisterMessage,
} from '@patchbay/contracts/gateway'
import { LIMITS } from '@patchbay/contracts/limits'

interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** The WebSocket messages as Markdown, from the schemas that the gateway checks them with. */
export function gatewayMessageReference(): string {
  return [
    '# Gateway messages',
    '',
    'Generated from the contracts by `patchbay messages`. Do not edit.',
    '',
    'JSON text over a WebSocket at `/ws` or `/` of the gateway. Members that are not listed are ignored. A message holds',
    `at most ${LIMITS.gatewayMessageBytes} bytes; a connection that has nothing registered for ${LIMITS.gatewayRegisterWithinMs / 1000} s is closed.`,
    '',
    '## From client to gateway',
    '',
    ...[registerMessage, unregisterMessage].flatMap((schema) => section(schema as Schema)),
    '## From gateway to client',
    '',
    ...[registeredMessage, callbackMessage, errorMessage].flatMap((schema) => section(schema as Schema)),
    '## Reasons of an error',
    '',
    '| reason | meaning |',
    '|---|---|',
    ...Object.entries(GATEWAY_ERROR_REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`),
    '',
    '## Close codes',
    '',
    '| code | reason | meaning |',
    '|---|---|---|',
    ...Object.entries(CLOSE_CODES).map(
      ([name, { code, meaning }]) => `| ${code} | \`${name}\` | ${meaning} |`,
    ),
    '',
  ].join('\n')
}

function section({ title = '', description = '', properties = {}, required = [] }: Schema): string[] {
  return [
    `### ${title}`,
    '',
    description,
    '',
    '| member | | type | meaning |',
    '|---|---|---|---|',
    ...Object.entries(properties).map(([name, schema]) => {
      const need = required.includes(name) ? 'required' : 'optional'
      return `| \`${name}\` | ${need} | ${typeOf(schema)} | ${schema.description ?? ''} |`
    }),
    '',
  ]
}

function typeOf({ const: constant, enum: values, type, pattern, maxLength }: Schema): string {
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (values !== undefined) return 'one of the reasons below'
  if (pattern !== undefined) return `string, \`${pattern}\``
  return `${type ?? 'object'}${maxLength === undefined ? '' : `, 1 to ${maxLength} characters`}`
}
