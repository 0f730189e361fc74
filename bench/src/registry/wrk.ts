import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const WRK = 'wrk'
const PATHS = fileURLToPath(new URL('./paths.lua', import.meta.url))

export interface WrkLoad {
  readonly port: number
  readonly paths: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

export interface Answered {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Headers and body, as wrk rounds them. */
  readonly bytesPerRequest: number
}

/** Asks for the paths in turn, as fast as they are answered. An answer that is no success fails the measurement. */
export async function loadPaths(load: WrkLoad): Promise<Answered> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-wrk-'))
  try {
    const file = join(folder, 'paths')
    await writeFile(file, `${load.paths.join('\n')}\n`)
    return readAnswered(await runWrk(load, file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runWrk(load: WrkLoad, file: string): Promise<string> {
  const { port, paths, headers = {}, connections, seconds } = load
  const flags = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--latency', '--timeout', '60s']
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const site = `http://127.0.0.1:${port}`
  // A script costs the generator more than the rest of a request: without need it would slow the faster side down.
  const asked =
    paths.length === 1
      ? [...lines.flatMap((line) => ['-H', line]), `${site}${paths[0]}`]
      : ['-s', PATHS, site, '--', file, ...lines]
  const child = spawn(WRK, [...flags, ...asked], { stdio: ['ignore', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('wrk is missing: install Debian\'s "wrk" to load the server')))
  })
  // It knows whole seconds; at this signal it ends early and reports.
  const early = setTimeout(() => child.kill('SIGINT'), seconds * 1000)
  try {
    return await Promise.race([text(child.stdout), failed])
  } finally {
    clearTimeout(early)
  }
}

function readAnswered(output: string): Answered {
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`requests were refused:\n${output}`)
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN)
  const requests = number(/(\d+) requests in/)
  if (!(requests > 0)) throw new Error(`nothing was answered:\n${output}`)
  const [, read = '', unit = ''] = /, ([\d.]+)([KMGT]?B) read/.exec(output) ?? []
  const milliseconds = (share: number) => {
    const [, value = '', scale = ''] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
    return Number(value) * (scale === 'us' ? 0.001 : scale === 's' ? 1000 : 1)
  }
  return {
    requests,
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(50),
    p99Ms: milliseconds(99),
    bytesPerRequest: (Number(read) * 1024 ** ['B', 'KB', 'MB', 'GB', 'TB'].indexOf(unit)) / requests,
  }
}
