import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase } from '@patchbay/kernel/postgres'
import type { RunningRedis } from '@patchbay/testkit/redis'
import { sql } from 'kysely'

/** Every row of every table, as text. */
export async function dumpDatabase(url: string): Promise<string> {
  await using database = createDatabase<Record<string, never>>({ url, poolSize: 1, applicationName: 'dump' })
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    database.db,
  )
  const dumps: string[] = []
  for (const { name } of tables.rows) {
    const rows = await sql<{
      text: string
    }>`select row_to_json(t)::text as text from ${sql.table(name)} t`.execute(database.db)
    dumps.push(name, ...rows.rows.map(({ text }) => text))
  }
  return dumps.join('\n')
}

export async function dumpRedis(redis: RunningRedis): Promise<string> {
  await redis.ask('SAVE')
  const folder = /\/\S+/.exec(await redis.ask('CONFIG GET dir'))?.[0] ?? ''
  return (await readFile(join(folder, 'dump.rdb'))).toString('latin1')
}

const LENGTH_OF_SOMETHING_SECRET = 16

/** Whatever a thief of these texts could try: each long word, and each column of bytes in the spellings of a token. */
export function candidatesIn(text: string): string[] {
  const words = text.match(/[\w-]{16,}/g) ?? []
  const bytes = (text.match(/\\x[0-9a-f]{32,}/g) ?? []).map((each) => Buffer.from(each.slice(2), 'hex'))
  const spelled = bytes.flatMap((each) => [
    each.toString('base64url'),
    each.toString('hex'),
    each.toString('latin1'),
  ])
  return [...new Set([...words, ...spelled])].filter((each) => each.length >= LENGTH_OF_SOMETHING_SECRET)
}
