import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
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

const run = promisify(execFile)
const CONNECTIONS = 64
const TICKS_PER_SECOND = 100

/** Requests per second of the same empty validated route, bare and on the kernel's factory, in turns. */
export async function measureHttp(options: {
  readonly seconds: number
  readonly rounds: number
}): Promise<HttpResult> {
  const bare: HttpRound[] = []
  const kernel: HttpRound[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    // Who goes first alternates: the second always finds a warmer machine.
    const order = round % 2 === 0 ? ([bare, kernel] as const) : ([kernel, bare] as const)
    for (const results of order) {
      results.push(
        await measureServer(results === bare ? './bare-server.ts' : './kernel-server.ts', options.seconds),
      )
    }
  }
  const ratios = (pick: (round: HttpRound) => number) =>
    median(kernel.map((round, index) => pick(round) / pick(bare[index] ?? round)))
  return {
    bare: middle(bare),
    kernel: middle(kernel),
    throughputRatio: ratios((round) => round.requestsPerSecond),
    cpuRatio: 1 / ratios((round) => round.cpuMicrosecondsPerRequest),
    rounds: options.rounds,
  }
}

async function measureServer(script: string, seconds: number): Promise<HttpRound> {
  await using server = startProcess(process.execPath, [fileURLToPath(new URL(script, import.meta.url))])
  await waitUntil('the server listens', () => /http:\/\/127\.0\.0\.1:\d+/.test(server.output()))
  const url = `${/http:\/\/127\.0\.0\.1:\d+/.exec(server.output())?.[0]}${PATH}`
  await load(url, 1) // the compiler warms up
  const before = await cpuSeconds(server.pid)
  const { requests, requestsPerSecond, p99Ms } = await load(url, seconds)
  const cpu = (await cpuSeconds(server.pid)) - before
  return { requestsPerSecond, p99Ms, cpuMicrosecondsPerRequest: (cpu * 1e6) / requests }
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

async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function middle(rounds: readonly HttpRound[]): HttpRound {
  return {
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    cpuMicrosecondsPerRequest: median(rounds.map((round) => round.cpuMicrosecondsPerRequest)),
  }
}
