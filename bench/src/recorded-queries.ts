import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@patchbay/testkit/processes'
import type { Client } from 'pg'
import type { Database } from './server.ts'

const ATTEMPTS = 60
const PAUSE_MS = 1_000

/** A statement with the values that the server sent with it, as PostgreSQL spells them. */
export interface RecordedQuery {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/**
 * What each piece of work makes the server ask, taken from PostgreSQL's log: a copy of the statements in this folder would
 * be compared with a server that has moved on. A server asks things of itself all the time; `isWanted` leaves them out.
 */
export async function recordQueries(
  { postgres, client }: Pick<Database, 'postgres' | 'client'>,
  works: readonly (() => Promise<unknown>)[],
  isWanted: (text: string) => boolean,
): Promise<RecordedQuery[][]> {
  await switchLog(client, 'all')
  try {
    const recorded: RecordedQuery[][] = []
    for (const work of works) {
      const log = await logOf({ postgres, client }, work)
      const queries = readQueries(log).filter(({ text }) => isWanted(text))
      if (queries.length === 0) throw new Error('the server asked nothing')
      recorded.push(queries)
    }
    return recorded
  } finally {
    await switchLog(client, 'none')
  }
}

/**
 * What PostgreSQL wrote while the work was done. Only the log's end is kept: where the server writes a long statement of
 * its own in between (a feed of 100,000 packages), the beginning is lost, and the work is done again.
 */
async function logOf(
  { postgres, client }: Pick<Database, 'postgres' | 'client'>,
  work: () => Promise<unknown>,
): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [begin, end] = [`begin ${randomUUID()}`, `end ${randomUUID()}`]
    await client.query(`select '${begin}'`)
    await work()
    await client.query(`select '${end}'`)
    await waitUntil('the log is complete', () => postgres.output().includes(end), { intervalMs: 5 })
    const log = postgres.output()
    if (log.includes(begin)) return log.slice(log.lastIndexOf(begin), log.indexOf(end))
    await sleep(PAUSE_MS)
  }
  throw new Error(`${ATTEMPTS} times the server wrote more into the log than is kept of it`)
}

async function switchLog(client: Client, statements: 'all' | 'none'): Promise<void> {
  await client.query(`alter system set log_statement = '${statements}'`)
  await client.query('select pg_reload_conf()')
  await waitUntil('the setting is there', async () => {
    const { rows } = await client.query<{ log_statement: string }>('show log_statement')
    return rows[0]?.log_statement === statements
  })
  // The connections of the server hear of it one after the other.
  await sleep(50)
}

/** Lines that belong to the one above begin with a tab. */
export function readQueries(log: string): RecordedQuery[] {
  const entries = log.matchAll(
    / LOG: {2}execute \S+: (.*(?:\n\t.*)*)(?:\n.* DETAIL: {2}[Pp]arameters: (.*(?:\n\t.*)*))?/g,
  )
  return [...entries].map(([, text = '', values = '']) => ({
    text: text.replaceAll('\n\t', '\n'),
    values: [...values.replaceAll('\n\t', '\n').matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map(
      ([, value]) => value?.replaceAll("''", "'") ?? null,
    ),
  }))
}
