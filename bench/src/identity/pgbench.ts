import { execFile } from 'node:child_process'
import { readlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../processes.ts'
import type { IntentRange } from './intents.ts'

const run = promisify(execFile)

export interface PgbenchOrder {
  /** Of the running cluster: its folder holds the pgbench of the same version. */
  readonly postmaster: number
  readonly url: string
  readonly connections: number
  readonly statements: readonly string[]
  readonly expressions: readonly string[][]
  readonly range: IntentRange
  readonly seconds: number
}

export async function runPgbench(order: PgbenchOrder) {
  const { postmaster, url, connections, seconds, range } = order
  const pgbench = join(dirname(await readlink(`/proc/${postmaster}/exe`)), 'pgbench')
  await using folder = await temporaryFolder()
  const script = join(folder.path, 'script.sql')
  await writeFile(script, scriptOf(order))
  const flags = ['-n', '-M', 'prepared', '-j', '1', '-c', `${connections}`, '-T', `${Math.ceil(seconds)}`]
  const share = Math.floor(range.count / connections)
  const variables = ['-D', 'asked=0', '-D', `share=${share}`]
  const { stdout } = await run(pgbench, [...flags, ...variables, '-f', script, url])
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  const operations = number(/transactions actually processed: (\d+)/)
  if (!(operations > 0) || number(/failed transactions: (\d+)/) !== 0)
    throw new Error(`pgbench failed:\n${stdout}`)
  return { operations, perSecond: number(/tps = ([\d.]+)/) }
}

/** Each client counts through its own share of the range. */
export function scriptOf({
  range,
  statements,
  expressions,
}: Pick<PgbenchOrder, 'range' | 'statements' | 'expressions'>): string {
  const queries = statements.map((statement, index) =>
    statement.replaceAll(/\$(\d+)/g, (parameter, position: string) => {
      const expression = expressions[index]?.[Number(position) - 1]
      if (expression === undefined) throw new Error(`no value for ${parameter} of ${statement}`)
      return expression
    }),
  )
  const next = String.raw`\set number ${range.from} + :client_id * :share + :asked % :share`
  return `${next}\n${String.raw`\set asked :asked + 1`}\n${queries.map((query) => `${query};`).join('\n')}\n`
}
