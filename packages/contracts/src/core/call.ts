import {
  type CallInput,
  type CallResult,
  type EndpointSpec,
  isMediaResponse,
  type UploadBody,
} from './endpoint.ts'
import { isProblemCode, PROBLEM_CONTENT_TYPE, Problem } from './problems.ts'

export interface CallOptions {
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The other side answered something that the contract does not know, such as a proxy's HTML page. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  readonly status: number

  constructor(status: number, what: string) {
    super(`unexpected answer ${status}: ${what}`)
    this.status = status
  }
}

interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly upload?: UploadBody
}

/** Path, query and header values are plain values; an object among them would travel as `[object Object]`. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return value.toString()
  throw new TypeError(`a ${typeof value} cannot be part of an address or header`)
}

/** Fills the path and the query. An empty parameter is refused: it would address another resource. */
export function address(path: string, { params = {}, query = {} }: LooseInput): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = asText(params[name] ?? '')
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`path parameter ${name} is missing`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, asText(item))
    }
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

/**
 * Calls an endpoint by its description. Resolves with a declared answer; throws `Problem` for a refusal that the
 * table knows, `UnexpectedResponse` for anything else that arrived, and what `fetch` throws when nothing did.
 */
export async function call<Spec extends EndpointSpec>(
  endpoint: Spec,
  input: CallInput<Spec>,
  options: CallOptions,
): Promise<CallResult<Spec>> {
  const given = input as LooseInput
  const headers = new Headers({ accept: 'application/json', ...options.headers })
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    if (value !== undefined) headers.set(name, asText(value))
  }
  const init: RequestInit & { duplex?: 'half' } = { method: endpoint.method, headers }
  if (options.signal !== undefined) init.signal = options.signal
  if (given.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(given.body)
  }
  if (given.upload !== undefined && endpoint.upload !== undefined) {
    headers.set('content-type', endpoint.upload.mediaType)
    init.body = given.upload
    // A stream is sent while it is read; without this word `fetch` refuses it.
    if (given.upload instanceof ReadableStream) init.duplex = 'half'
  }
  const url = options.baseUrl.replace(/\/+$/, '') + address(endpoint.path, given)
  const response = await (options.fetch ?? fetch)(url, init)
  return await readAnswer(endpoint, response)
}

async function readAnswer<Spec extends EndpointSpec>(
  endpoint: Spec,
  response: Response,
): Promise<CallResult<Spec>> {
  const declared = endpoint.responses[response.status]
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (declared === undefined || type === PROBLEM_CONTENT_TYPE) throw await refusal(response, type)
  // The endpoint's type says which body belongs to which status; here it is only known at run time.
  const answer = (body: unknown) =>
    ({ status: response.status, headers: response.headers, body }) as unknown as CallResult<Spec>
  if (declared === null) return answer(undefined)
  if (isMediaResponse(declared)) return answer(await response.text())
  if (type !== 'application/json')
    throw new UnexpectedResponse(response.status, `content type ${type || 'missing'}`)
  return answer(await response.json())
}

async function refusal(response: Response, type: string): Promise<Error> {
  if (type !== PROBLEM_CONTENT_TYPE)
    return new UnexpectedResponse(response.status, `content type ${type || 'missing'}`)
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null)
    return new UnexpectedResponse(response.status, 'unreadable problem')
  const {
    type: _type,
    title: _title,
    status: _status,
    code,
    detail,
    ...extensions
  } = body as Record<string, unknown>
  if (!isProblemCode(code)) return new UnexpectedResponse(response.status, `unknown problem ${String(code)}`)
  const retryAfter = response.headers.get('retry-after')
  return new Problem(code, {
    ...(typeof detail === 'string' ? { detail } : {}),
    extensions,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  })
}
