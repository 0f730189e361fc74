import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { IntentRange } from './intents.ts'
import type { Operation } from './operations.ts'
import type { Browser } from './people.ts'

const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('./load.lua', import.meta.url))
/** More than the server has database connections, so that none of those waits for the generator. */
export const HTTP_CONNECTIONS = 32

export interface Load {
  readonly port: number
  readonly operation: Operation
  readonly browsers: readonly Browser[]
  readonly range: IntentRange
  readonly seconds: number
}

export interface Loaded {
  readonly operations: number
  readonly perSecond: number
}

/** Loads a server as fast as it answers. An answer that is no success fails the measurement. */
export async function runWrk(load: Load): Promise<Loaded> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-wrk-'))
  try {
    const browsers = join(folder, 'browsers')
    await writeFile(browsers, load.browsers.map(({ cookie, csrf }) => `${cookie}\t${csrf}\n`).join(''))
    return readLoaded(await runLoad(load, browsers))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runLoad({ port, operation, range, seconds }: Load, browsersFile: string): Promise<string> {
  const { method, path, body = '', headers, isByPerson } = operation
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const origin = isByPerson ? [`Origin: http://localhost:${port}`] : []
  const flags = [
    '-t1',
    `-c${HTTP_CONNECTIONS}`,
    `-d${Math.ceil(seconds)}s`,
    '-s',
    LOAD,
    `http://127.0.0.1:${port}`,
  ]
  const asked = [method, path, body, `${range.from}`, `${range.count}`, isByPerson ? browsersFile : '']
  const { stdout } = await run('wrk', [...flags, '--', ...asked, ...lines, ...origin]).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new Error('wrk is missing: install Debian\'s "wrk" to load the server')
      throw error
    },
  )
  return stdout
}

function readLoaded(output: string): Loaded {
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`requests were refused:\n${output}`)
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN)
  const operations = number(/(\d+) requests in/)
  if (!(operations > 0)) throw new Error(`nothing was answered:\n${output}`)
  return { operations, perSecond: number(/Requests\/sec:\s+([\d.]+)/) }
}
