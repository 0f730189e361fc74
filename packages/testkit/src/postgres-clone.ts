import { createHash, randomUUID } from 'node:crypto'
import { Client, escapeIdentifier } from 'pg'

export interface CloneOptions {
  /** Names the content of the schema: equal fingerprints share one template, so it must change with every migration. */
  readonly fingerprint: string
  /** Brings the empty database at `url` to the wanted schema and leaves no connection open. */
  readonly migrate: (url: string) => Promise<unknown>
  /** The cluster to use; the one that the whole test run shares unless a test brings its own. */
  readonly adminUrl?: string
}

export interface ClonedDatabase extends AsyncDisposable {
  readonly url: string
}

/** A fresh database with the schema in place, in milliseconds: the migrations run once, the rest are file copies. */
export async function cloneDatabase({
  fingerprint,
  migrate,
  adminUrl,
}: CloneOptions): Promise<ClonedDatabase> {
  const admin = adminUrl ?? (await sharedAdminUrl())
  const template = `template_${createHash('sha256').update(fingerprint).digest('hex').slice(0, 16)}`
  const name = `clone_${randomUUID().replaceAll('-', '')}`
  await using client = await connect(admin)
  await client.underLock(template, async () => {
    if (!(await client.exists(template))) await buildTemplate(client, admin, template, migrate)
  })
  await client.execute(
    `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} strategy file_copy`,
  )
  return {
    url: withDatabase(admin, name),
    async [Symbol.asyncDispose]() {
      await using closing = await connect(admin)
      await closing.execute(`drop database if exists ${escapeIdentifier(name)} with (force)`)
    },
  }
}

/** Built under another name: a worker that dies half way must not leave a half-migrated template for the others. */
async function buildTemplate(
  client: Admin,
  admin: string,
  template: string,
  migrate: CloneOptions['migrate'],
) {
  const draft = `${template}_draft`
  await client.execute(`drop database if exists ${escapeIdentifier(draft)} with (force)`)
  await client.execute(`create database ${escapeIdentifier(draft)}`)
  await migrate(withDatabase(admin, draft))
  await client.execute(`alter database ${escapeIdentifier(draft)} rename to ${escapeIdentifier(template)}`)
}

interface Admin extends AsyncDisposable {
  execute(sql: string): Promise<void>
  exists(database: string): Promise<boolean>
  underLock(name: string, work: () => Promise<void>): Promise<void>
}

async function connect(url: string): Promise<Admin> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 60_000 })
  client.on('error', () => {})
  await client.connect()
  return {
    async execute(sql) {
      await client.query(sql)
    },
    async exists(database) {
      const found = await client.query('select from pg_database where datname = $1', [database])
      return found.rowCount === 1
    },
    async underLock(name, work) {
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
      try {
        await work()
      } finally {
        await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Imported only here: whoever starts a cluster outside of tests must not load the test runner. */
async function sharedAdminUrl(): Promise<string> {
  const { inject } = await import('vitest')
  const answer = await fetch(`${inject('sharedEnginesUrl')}/postgres`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.href
}
