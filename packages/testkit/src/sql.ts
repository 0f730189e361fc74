import type { Kysely, KyselyPlugin } from 'kysely'
import { format } from 'sql-formatter'

/**
 * Runs `use` with a database that notes the SQL of each statement, as it goes to the server, and answers it formatted,
 * for a file snapshot: `expect(await recordSql(db, findIntent)).toMatchFileSnapshot('snapshots/find-intent.sql')`.
 */
export async function recordSql<Tables>(
  db: Kysely<Tables>,
  use: (recorded: Kysely<Tables>) => Promise<unknown>,
): Promise<string> {
  const statements: string[] = []
  const notes: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId).sql)
      return node
    },
    async transformResult({ result }) {
      return result
    },
  }
  await use(db.withPlugin(notes))
  return statements.map((statement) => `${format(statement, { language: 'postgresql' })};\n`).join('\n')
}
