import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { cpuOf } from '../cpu.ts'
import { median } from '../median.ts'
import { PATH } from './endpoint.ts'

export interface HttpRound {
  readonly requestsPerSecond: number
  readonly p99Ms: number
  /** CPU time of the server alone: less at the mercy of what else the machine does than requests per second. */
  readonly cpuMicrosecondsPerRequest: number
}

export interface HttpResult {
  readonly bare: HttpRound
  readonly kernel: HttpRound
  /** Medians of the ratios of neighbouring rounds, so that a machine that slows down slows both. */
  readonly throughputRatio: number
  readonly cpuRatio: number
  readonly rounds: number
}

export interface HttpLoad {
  readonly seconds: number
  readonly rounds: number
}

const run = promisify(execFile)
const CONNECTIONS = 64
const WARM_UP_SECONDS = 2

/** The same empty validated route, bare and on the kernel's factory: both servers run, and are loaded in turns. */
export async function measureHttp({ seconds, rounds }: HttpLoad): Promise<HttpResult> {
  await using bare = await startServer('./bare-server.ts')
  await using kernel = await startServer('./kernel-server.ts')
  const results: { readonly bare: HttpRound; readonly kernel: HttpRound }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first alternates, so that a machine that gets slower or faster favours nobody.
    if (round % 2 === 0)
      results.push({ bare: await bare.measure(seconds), kernel: await kernel.measure(seconds) })
    else {
      const first = await kernel.measure(seconds)
      results.push({ bare: await bare.measure(seconds), kernel: first })
    }
  }
  const ratio = (pick: (round: HttpRound) => number) =>
    median(results.map((pair) => pick(pair.kernel) / pick(pair.bare)))
  return {
    bare: middle(results.map((pair) => pair.bare)),
    kernel: middle(results.map((pair) => pair.kernel)),
    throughputRatio: ratio((round) => round.requestsPerSecond),
    cpuRatio: ratio((round) => round.cpuMicrosecondsPerRequest),
    rounds,
  }
}

async function startServer(script: string) {
  const server = startProcess(process.execPath, [fileURLToPath(new URL(script, import.meta.url))])
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(server.output())?.[0]
  await waitUntil('the server listens', () => address() !== undefined)
  const url = `${address()}${PATH}`
  await load(url, WARM_UP_SECONDS)
  const measure = async (seconds: number): Promise<HttpRound> => {
    const before = cpuOf(server.pid)
    const { requests, requestsPerSecond, p99Ms } = await load(url, seconds)
    const cpu = cpuOf(server.pid) - before
    return { requestsPerSecond, p99Ms, cpuMicrosecondsPerRequest: (cpu * 1e6) / requests }
  }
  return { measure, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function load(url: string, seconds: number) {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', url]
  const { stdout } = await run('wrk', args).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new Error('wrk is missing: install Debian\'s "wrk" to load the servers')
    throw error
  })
  if (/Non-2xx/.test(stdout)) throw new Error(`the route refused requests:\n${stdout}`)
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  const [, value = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  return {
    requests: number(/(\d+) requests in/),
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p99Ms: Number(value) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1),
  }
}

function middle(rounds: readonly HttpRound[]): HttpRound {
  return {
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    cpuMicrosecondsPerRequest: median(rounds.map((round) => round.cpuMicrosecondsPerRequest)),
  }
}
