import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitUntil } from './processes.ts'

export interface ReceivedSpan {
  /** The process that sent it, and which of its kind. */
  readonly service: string
  readonly instance: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly begunAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly isFaulty: boolean
}

export interface TraceReceiver extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Every body as it came, for what must not be in one. */
  readonly bodies: readonly string[]
  readonly headers: readonly IncomingHttpHeaders[]
  /** How requests are answered from now on; 0: never. */
  answer(status: number, headers?: Record<string, string>): void
  /** Waits for a span of this name. */
  find(name: string): Promise<ReceivedSpan>
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']

/** Takes OTLP over HTTP as JSON, on loopback. What is not as OTLP has it is refused and fails whoever waits. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const heads: IncomingHttpHeaders[] = []
  const faults: unknown[] = []
  let status = 200
  let more: Record<string, string> = {}
  /** The status that a request is answered with. */
  const take = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request)
    if (status !== 200) return status
    try {
      require(request.method === 'POST' && request.url === '/v1/traces', 'POST /v1/traces')
      require(request.headers['content-type'] === 'application/json', 'JSON')
      spans.push(...decode(JSON.parse(body)))
    } catch (error) {
      faults.push(error)
      return 400
    }
    bodies.push(body)
    heads.push(request.headers)
    return 200
  }
  const server = createServer((request, response) => {
    take(request).then(
      (answered) => {
        if (answered === 0) return
        response.writeHead(answered, { 'content-type': 'application/json', ...more }).end('{}')
      },
      (error: unknown) => void faults.push(error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    headers: heads,
    answer(next, headers = {}) {
      status = next
      more = headers
    },
    async find(name) {
      const look = () => spans.find((span) => span.name === name)
      await waitUntil(`a span "${name}" arrives`, () => {
        if (faults.length > 0) throw faults[0]
        return look() !== undefined
      })
      return look() as ReceivedSpan
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function decode(body: unknown): ReceivedSpan[] {
  return list(only(body, ['resourceSpans'])['resourceSpans']).flatMap((each) => {
    const { resource, scopeSpans } = only(each, ['resource', 'scopeSpans'])
    const of = attributesOf(only(resource, ['attributes'])['attributes'])
    return list(scopeSpans).flatMap((scoped) => {
      const { scope, spans } = only(scoped, ['scope', 'spans'])
      require(typeof only(scope, ['name'])['name'] === 'string', 'a scope has a name')
      return list(spans).map((span) => decodeSpan(span, of))
    })
  })
}

const SPAN_KEYS = [
  'traceId',
  'spanId',
  'parentSpanId',
  'flags',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'links',
  'status',
]

function decodeSpan(given: unknown, of: ReceivedSpan['attributes']): ReceivedSpan {
  const span = only(given, SPAN_KEYS)
  const kind = KINDS[Number(span['kind'])]
  const { name, flags } = span
  require(kind !== undefined && kind !== 'unspecified', 'a span has a kind')
  require(typeof name === 'string' && name !== '' && flags === 1, 'a span has a name, and is sampled')
  const [begunAt, endedAt] = [time(span['startTimeUnixNano']), time(span['endTimeUnixNano'])]
  require(begunAt <= endedAt, 'a span ends after it begins')
  const { code = 0 } = only(span['status'], ['code'])
  return {
    service: String(of['service.name']),
    instance: String(of['service.instance.id']),
    traceId: hex(span['traceId'], 32),
    spanId: hex(span['spanId'], 16),
    parentSpanId: span['parentSpanId'] === undefined ? undefined : hex(span['parentSpanId'], 16),
    name: name as string,
    kind: kind ?? '',
    begunAt,
    endedAt,
    attributes: attributesOf(span['attributes']),
    links: list(span['links']).map((link) => {
      const { traceId, spanId } = only(link, ['traceId', 'spanId'])
      return { traceId: hex(traceId, 32), spanId: hex(spanId, 16) }
    }),
    isFaulty: code === 2,
  }
}

function attributesOf(given: unknown): Record<string, string | number> {
  return Object.fromEntries(
    list(given).map((pair) => {
      const { key, value } = only(pair, ['key', 'value'])
      const entries = Object.entries(only(value, ['stringValue', 'intValue', 'doubleValue']))
      const [kind, content] = entries[0] ?? []
      require(typeof key === 'string' && entries.length === 1, 'an attribute has a key and one value')
      // As JSON of protobuf has 64 bits: in quotes.
      if (kind === 'intValue') require(/^-?\d+$/.test(content as string), 'a whole number is a string')
      return [key as string, kind === 'stringValue' ? (content as string) : Number(content)] as const
    }),
  )
}

function hex(given: unknown, digits: number): string {
  require(typeof given === 'string' &&
    /^[0-9a-f]+$/.test(given) &&
    given.length === digits, 'an id is in hex')
  require(/[^0]/.test(given as string), 'an id is not all zeros')
  return given as string
}

function time(given: unknown): number {
  require(typeof given === 'string' && /^\d{19}$/.test(given), 'a time is in nanoseconds, in quotes')
  return Number(given) / 1e6
}

function only(given: unknown, keys: readonly string[]): Record<string, unknown> {
  require(typeof given === 'object' && given !== null, 'an object')
  for (const key of Object.keys(given as object)) require(keys.includes(key), `no "${key}"`)
  return given as Record<string, unknown>
}

function list(given: unknown): readonly unknown[] {
  require(Array.isArray(given), 'a list')
  return given as readonly unknown[]
}

function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not as OTLP has it: ${what}`)
}

export interface TreeOptions {
  /** The same for each service and instance in every run: `server 1`. */
  readonly nameOf?: (span: ReceivedSpan) => string
  readonly showsTimes?: boolean
  /** Statements and Redis commands below one span become a line each. */
  readonly foldsEngines?: boolean
}

const ENGINES = [
  ['sql ', 'SQL'],
  ['redis ', 'Redis'],
] as const

/** A trace as text: each span below its parent, in the order in which they began. */
export function traceTree(
  all: readonly ReceivedSpan[],
  traceId: string,
  { nameOf = ({ service }) => service, showsTimes = false, foldsEngines = false }: TreeOptions = {},
): string {
  const spans = all.filter((span) => span.traceId === traceId).toSorted((a, b) => a.begunAt - b.begunAt)
  const known = new Set(spans.map(({ spanId }) => spanId))
  const lines: string[] = []
  const add = (span: ReceivedSpan, lead: string, rest: string) => {
    const ms = (span.endedAt - span.begunAt).toFixed(1).padStart(8)
    const line = `${lead}${nameOf(span)}: ${span.name}`
    lines.push(showsTimes ? `${ms} ms  ${line}` : line)
    const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
    const below = foldsEngines ? folded(children) : children
    below.forEach((each, index) => {
      const isLast = index === below.length - 1
      add(each, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`)
    })
  }
  for (const span of spans)
    if (span.parentSpanId === undefined || !known.has(span.parentSpanId)) add(span, '', '')
  return lines.join('\n')
}

/** How many, and how long they took together. */
function folded(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const engineOf = ({ name }: ReceivedSpan) => ENGINES.find(([beginning]) => name.startsWith(beginning))?.[1]
  const kept = spans.filter((span) => engineOf(span) === undefined)
  const sums = ENGINES.flatMap(([, engine]) => {
    const of = spans.filter((span) => engineOf(span) === engine)
    const [first] = of
    if (first === undefined) return []
    const ms = of.reduce((sum, { begunAt, endedAt }) => sum + endedAt - begunAt, 0)
    return [{ ...first, spanId: '', name: `${engine} × ${of.length}`, endedAt: first.begunAt + ms }]
  })
  return [...kept, ...sums]
}
