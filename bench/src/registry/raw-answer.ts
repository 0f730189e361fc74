import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As it came, in whatever coding. */
  readonly body: Buffer
}

/** `fetch` would decode the body. */
export async function askRaw(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  get({ host: '127.0.0.1', port, path, headers }, (response) => {
    const { statusCode: status = 0 } = response
    buffer(response).then((body) => resolve({ status, headers: response.headers, body }), reject)
  }).once('error', reject)
  return await promise
}

export async function askSuccess(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const answer = await askRaw(port, path, headers)
  if (answer.status !== 200)
    throw new Error(`${path} was answered ${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`)
  return answer
}
