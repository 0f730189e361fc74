import { randomUUID } from 'node:crypto'
import type { Postgres } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { Client } from 'pg'

/** Connections that are opened with it have their statements logged, from the first one on. */
export function loggedUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c log_statement=all')
  return url.href
}

/**
 * What `work` sends to PostgreSQL over such connections, taken from its log: a copy of the statements in this folder
 * would be compared with a server that has moved on.
 */
export async function recordStatements(
  postgres: Postgres,
  work: () => Promise<void>,
): Promise<readonly string[]> {
  const [begin, end] = [`begin ${randomUUID()}`, `end ${randomUUID()}`]
  const client = new Client({ connectionString: loggedUrl(postgres.url()) })
  await client.connect()
  try {
    await client.query(`select '${begin}'`)
    await work()
    await client.query(`select '${end}'`)
  } finally {
    await client.end()
  }
  await waitUntil('the log is complete', () => postgres.output().includes(end))
  return statementsBetween(postgres.output(), begin, end)
}

/** The registry looks after its index all the time, whatever else the server does. */
const OF_THE_INDEX =
  /\b(?:feeds|feed_files|sparse_\w+|index_\w+|trust_\w+|packages|package_versions)\b|pg_advisory/

/** Lines that belong to the one above begin with a tab. */
function statementsBetween(log: string, begin: string, end: string): readonly string[] {
  const recorded = log.slice(log.lastIndexOf(begin), log.indexOf(end))
  return [...recorded.matchAll(/ LOG: {2}execute \S+: (.*(?:\n\t.*)*)/g)]
    .map(([, text = '']) => text.replaceAll('\n\t', '\n'))
    .filter((text) => !OF_THE_INDEX.test(text))
}
