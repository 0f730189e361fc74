import { exampleOf, type Field, fieldsOf, limitsOf, type Schema, typeOf } from './schema.ts'

/** An OpenAPI document as our processes write it. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** A process that describes its addresses, and how its pages call it. */
export interface Service {
  readonly file: string
  readonly label: string
  readonly variable: string
  readonly usual: string
}

export const SERVICES: readonly Service[] = [
  { file: 'openapi.json', label: 'Server', variable: 'PATCHBAY', usual: 'http://localhost:8790' },
  { file: 'gateway-openapi.json', label: 'Gateway', variable: 'GATEWAY', usual: 'http://localhost:8795' },
  { file: 'watchdog-openapi.json', label: 'Watchdog', variable: 'WATCHDOG', usual: 'http://localhost:8796' },
  { file: 'viewer-openapi.json', label: 'Viewer', variable: 'VIEWER', usual: 'http://localhost:8797' },
]

export interface WrittenPage {
  readonly slug: string
  readonly title: string
  readonly says: string
  readonly body: string
}

export const HTTP = 'reference/http'

/** A page for each subject of each service, and one that leads to them. */
export function httpPages(documents: ReadonlyMap<Service, ApiDocument>, base: string): WrittenPage[] {
  const subjects = [...documents].flatMap(([service, document]) => subjectsOf(service, document))
  const pages = subjects.map((subject) => subjectPage(subject, base))
  const list = [...Map.groupBy(subjects, ({ service }) => service)].map(([service, ofService]) =>
    [
      `## ${service.label}`,
      `\`${service.usual}\` unless it was told otherwise. [OpenAPI 3.1 document](${base}/reference/${service.file})`,
      '| Subject | Addresses |\n|---|---|',
      ...ofService.map(
        ({ slug, tag, operations }) => `| [${tag}](${base}/${slug}/) | ${operations.length} |`,
      ),
    ]
      .join('\n\n')
      .replaceAll(/\|\n\n\|/g, '|\n|'),
  )
  return [
    {
      slug: HTTP,
      title: 'HTTP',
      says: 'Every address, by subject.',
      body: `${INTRODUCTION(base)}\n\n${list.join('\n\n')}\n`,
    },
    ...pages,
  ]
}

const INTRODUCTION = (
  base: string,
) => `Requests and answers are JSON in UTF-8. Bodies are strict: unknown members and values of the wrong type are refused.

An [API key](${base}/reference/http/api-keys/) or the token of a login goes into the header \`Authorization: Bearer …\`. In the examples:

\`\`\`sh
export PATCHBAY=http://localhost:8790
export PATCHBAY_API_KEY=…
\`\`\`

Failures are [problems](${base}/reference/problems/): \`application/problem+json\` with a \`code\` that never changes. Lists come in pages: pass \`next_cursor\` back as \`cursor\`.`

interface Subject {
  readonly service: Service
  readonly tag: string
  readonly slug: string
  readonly operations: readonly {
    readonly method: string
    readonly path: string
    readonly operation: Operation
  }[]
}

function subjectsOf(service: Service, document: ApiDocument): Subject[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? 'Other')].map(([tag, list]) => {
    const name = tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const own = service.label.toLowerCase()
    const slug = `${HTTP}/${service === SERVICES[0] ? name : name === own ? own : `${own}-${name}`}`
    return { service, tag, slug, operations: list }
  })
}

function subjectPage({ service, tag, slug, operations }: Subject, base: string): WrittenPage {
  const title =
    service === SERVICES[0] || tag === service.label ? tag : `${service.label}: ${tag.toLowerCase()}`
  return {
    slug,
    title,
    says: `The addresses of ${service.label.toLowerCase()} for ${tag.toLowerCase()}.`,
    body: operations.map((each) => operationText(service, each, base)).join('\n\n'),
  }
}

function operationText(
  service: Service,
  { method, path, operation }: Subject['operations'][number],
  base: string,
): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const parts = [
    `## ${prose(headingOf(summary))}`,
    `<p class="address"><b class="method method-${method.toLowerCase()}">${method}</b> <code>${path}</code></p>`,
    headingOf(summary) === summary ? '' : `${prose(summary)}.`,
    description === undefined ? '' : prose(description),
    parameters.length === 0
      ? ''
      : table(
          'Parameters',
          parameters.map(({ name, in: place, required, schema }) => ({
            name,
            type: `${typeOf(schema)}, in the ${place}`,
            required,
            limits: limitsOf(schema),
            says: schema.description ?? '',
          })),
        ),
    requestBody === undefined ? '' : bodyText('Body', requestBody.content),
    ...successes.map(([status, { description: says, content }]) =>
      content === undefined
        ? `**${status}** ${prose(says)}`
        : bodyText(`Answer ${status}`, content, says === 'Success' ? '' : prose(says)),
    ),
    example(service, method, path, operation),
    problems(responses, base),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const LONG_HEADING = 44

/** Summaries say what is special after what they do; a heading is the first part. */
function headingOf(summary: string): string {
  if (summary.length <= LONG_HEADING) return summary
  return /^.{12,}?(?=[,;:] )/.exec(summary)?.[0] ?? summary
}

function bodyText(label: string, content: Content, says = ''): string {
  return Object.entries(content)
    .map(([type, { schema }]) => {
      const fields = fieldsOf(schema)
      const kind = type === 'application/json' ? '' : ` (\`${type}\`)`
      if (fields.length > 0) return table(`${label}${kind}`, fields, says)
      return `**${label}${kind}** ${[says, type === 'application/json' ? typeOf(schema) : ''].filter(Boolean).join(' ')}`
    })
    .join('\n\n')
}

function table(label: string, fields: readonly Field[], says = ''): string {
  const rows = fields.map(
    ({ name, type, required, limits, says: meaning }) =>
      `| \`${name}\`${required ? '' : ' <span class="optional">optional</span>'} | ${[cell(type), cell(limits)].filter(Boolean).join('<br>')} | ${cell(prose(meaning))} |`,
  )
  return [`**${label}** ${says}`.trim(), `| Name | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}`].join(
    '\n\n',
  )
}

/** A bar inside a table ends a cell, also in code. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Descriptions mark codes with backticks; what stands outside them is text. */
function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_'),
    )
    .join('')
}

function example(service: Service, method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, responses } = operation
  const address = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema ?? {}
    return String(exampleOf(schema, name))
  })
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema, name)))}`)
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const needsKey = Object.values(responses).some(({ description }) =>
    /`(?:sign_in_required|token_required|credential_invalid)`/.test(description),
  )
  const headers = parameters
    .filter((each) => each.in === 'header' && each.required)
    .map(({ name, schema }) => `-H '${name}: ${String(exampleOf(schema, name))}'`)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$${service.variable}${address}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
    ...(needsKey ? ['-H "Authorization: Bearer $PATCHBAY_API_KEY"'] : []),
    ...headers,
    ...(type === undefined ? [] : [`-H 'Content-Type: ${type}'`]),
    ...(media === undefined
      ? []
      : [
          type === 'application/json'
            ? `-d '${JSON.stringify(exampleOf(media.schema)).replaceAll("'", "'\\''")}'`
            : '--data-binary @file',
        ]),
  ]
  return `\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\``
}

function problems(responses: Operation['responses'], base: string): string {
  const codes = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { description }]) =>
      Array.from(description.matchAll(/`([a-z_]+)`:/g), ([, code = '']) => code),
    )
    .filter((code) => code !== 'internal_error')
  if (codes.length === 0) return ''
  return `Problems: ${codes.map((code) => `[\`${code}\`](${base}/reference/problems/#${code})`).join(', ')}`
}
