import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@patchbay/kernel/config'
import { ClosedToOthers, DataInUse } from './database.ts'

/** For whoever starts a second one by mistake. */
export async function keepAddress(folder: string, url: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'address'), `${url}\n`)
}

interface Start {
  /** With which it was started. */
  readonly command: string
  /** Where data stays between runs. */
  readonly folder: string
}

/** Why it did not start, and what to do. What nobody expected has its stack. */
export async function startFailureWords(failure: unknown, { command, folder }: Start): Promise<string> {
  if (failure instanceof DataInUse) {
    const url = await readFile(join(folder, 'address'), 'utf8').catch(() => '')
    const there = url === '' ? 'Use the address that its terminal shows' : `Open ${url.trim()}`
    return `Patchbay runs already with the data in ${folder}.\n${there}, or start another one with data of its own: ${command} --data <folder>`
  }
  if (failure instanceof ClosedToOthers)
    return `PostgreSQL does not run as root, and no other account can enter ${failure.message}.\nStart this as an ordinary user, or name a PostgreSQL that runs: DATABASE_URL=postgres://…`
  if (failure instanceof ConfigError) return failure.message
  const { code, port } = Object(failure) as { code?: unknown; port?: unknown }
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} was taken while everything started. Run ${command} again: it takes another one.`
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
}
