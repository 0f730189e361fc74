import { VIEWER_MESSAGE_BYTES } from '@patchbay/contracts/limits'
import { VIEWER_SOCKET_PATH, viewerMessage, viewerPageMessage } from '@patchbay/contracts/viewer'

interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The WebSocket messages as Markdown, from the schemas that both sides check them with. */
export function viewerMessageReference(): string {
  return [
    '# Viewer messages',
    '',
    'Generated from the contracts by `patchbay messages viewer`. Do not edit.',
    '',
    `JSON text over a WebSocket at \`${VIEWER_SOCKET_PATH}\` of the viewer, one connection for each open page. A message of a page holds`,
    `at most ${VIEWER_MESSAGE_BYTES} bytes and nothing that is not listed; what else comes ends the connection with 4500.`,
    '',
    '## From page to viewer',
    '',
    ...sections(viewerPageMessage),
    '## From viewer to page',
    '',
    ...sections(viewerMessage),
  ].join('\n')
}

function sections({ anyOf = [] }: Schema): string[] {
  return anyOf.flatMap(({ title = '', description = '', properties = {} }) => [
    `### ${title}`,
    '',
    description,
    '',
    '| member | type |',
    '|---|---|',
    ...Object.entries(properties).map(([name, schema]) => `| \`${name}\` | ${typeOf(schema)} |`),
    '',
  ])
}

function typeOf(schema: Schema): string {
  const { const: constant, enum: values, anyOf, type, format, maxLength, properties } = schema
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (properties !== undefined) return 'as in the HTTP reference'
  return [
    type ?? 'any',
    ...(format === undefined ? [] : [format]),
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
  ].join(', ')
}
