import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './processes.ts'

export interface Request {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** The bytes of a request to this port. */
function wholeRequest(port: number, { method = 'GET', path, headers = {}, body = '' }: Request): string {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { host: `127.0.0.1:${port}`, ...headers, ...length }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

export interface Load {
  readonly port: number
  readonly requests: readonly Request[]
  readonly connections: number
  readonly seconds: number
}

export interface Answered {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const WRK = 'wrk'
const LOAD = fileURLToPath(new URL('./load.lua', import.meta.url))

/** Sends the requests in turn, as fast as they are answered, with wrk. An answer that is no success fails the measurement. */
export async function loadWith({ port, requests, connections, seconds }: Load): Promise<Answered> {
  await using folder = await temporaryFolder()
  const flags = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--latency', '--timeout', '60s']
  const site = `http://127.0.0.1:${port}`
  const [first] = requests
  // A script costs the generator more than the rest of a request: without need it would slow the faster side down.
  if (first !== undefined && requests.length === 1 && first.method === undefined) {
    const headers = Object.entries(first.headers ?? {}).flatMap(([name, value]) => [
      '-H',
      `${name}: ${value}`,
    ])
    return readAnswered(await runWrk([...flags, ...headers, `${site}${first.path}`], seconds))
  }
  const file = join(folder.path, 'requests')
  await writeFile(file, requests.map((request) => wholeRequest(port, request)).join('\0'))
  return readAnswered(await runWrk([...flags, '-s', LOAD, site, '--', file], seconds))
}

async function runWrk(args: readonly string[], seconds: number): Promise<string> {
  const child = spawn(WRK, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('wrk is missing: install Debian\'s "wrk" to load the server')))
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // It knows whole seconds; at this signal it ends early and reports.
  const early = setTimeout(() => child.kill('SIGINT'), seconds * 1000)
  try {
    const output = await Promise.race([text(child.stdout), failed])
    // Its CPU counts as that of a child that has ended.
    await ended
    return output
  } finally {
    clearTimeout(early)
  }
}

function readAnswered(output: string): Answered {
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`requests were refused:\n${output}`)
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN)
  const requests = number(/(\d+) requests in/)
  if (!(requests > 0)) throw new Error(`nothing was answered:\n${output}`)
  const milliseconds = (share: number) => {
    const [, value = '', unit = ''] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
    return Number(value) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1)
  }
  const perSecond = number(/Requests\/sec:\s+([\d.]+)/)
  return { requests, perSecond, p50Ms: milliseconds(50), p99Ms: milliseconds(99) }
}

/** One kept-alive connection that carries one request at a time. */
export interface Connection {
  /** Answers with head and body; anything but this status is an error. */
  ask(request: Request, status: number): Promise<string>
  close(): void
}

/** By hand: a client library would take more of a small machine than the servers under test. */
export function openConnection(port: number): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let answer = ''
  let current: { readonly status: number; readonly done: PromiseWithResolvers<string> } | undefined
  let isClosing = false
  const fail = (error: Error) => {
    reject(error)
    current?.done.reject(error)
  }
  socket.setEncoding('latin1')
  socket.on('error', fail)
  socket.on('close', () => {
    if (!isClosing) fail(new Error(`the node closed a connection: ${answer}`))
  })
  socket.on('data', (chunk: string) => {
    answer += chunk
    if (!isComplete(answer)) return
    const whole = answer
    answer = ''
    if (whole.startsWith(`HTTP/1.1 ${current?.status} `)) current?.done.resolve(whole)
    else fail(new Error(`a request was answered ${whole}`))
  })
  socket.on('connect', () =>
    resolve({
      ask(request, status) {
        const done = Promise.withResolvers<string>()
        current = { status, done }
        socket.write(wholeRequest(port, request))
        return done.promise
      },
      close() {
        isClosing = true
        socket.destroy()
      },
    }),
  )
  return promise
}

function isComplete(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1]
  return head >= 0 && answer.length >= head + 4 + Number(length ?? 0)
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As it came, in whatever coding. */
  readonly body: Buffer
}

/** `fetch` would decode the body. */
export async function askRaw(port: number, { path, headers = {} }: Request): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  get({ host: '127.0.0.1', port, path, headers }, (response) => {
    const { statusCode: status = 0 } = response
    buffer(response).then((body) => resolve({ status, headers: response.headers, body }), reject)
  }).once('error', reject)
  return await promise
}

export async function askSuccess(port: number, request: Request): Promise<RawAnswer> {
  const answer = await askRaw(port, request)
  if (answer.status !== 200)
    throw new Error(
      `${request.path} was answered ${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`,
    )
  return answer
}
