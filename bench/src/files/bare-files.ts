// The same rows and bytes with nothing around them: node:http, a pool of connections, the file system. With a third argument
// it also asks whose the key is, as nothing that serves private files can leave out.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Pool } from 'pg'
import { CONNECTIONS } from '../server.ts'

const [port, databaseUrl, objects = '', owner, repo, asksForKey] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS })

const KEY = `
  select api_keys.id, handle from api_keys join people on people.id = person_id
  where key_hash = $1 and disabled_at is null`
const LIST = `
  select file.path, file.revision, file.sha256, file.size, file.media_type, change.at, change.actor_kind,
    change.actor_name, change.actor_handle
  from content_files file join contents content on content.id = file.content_id
  join content_changes change on change.content_id = file.content_id and change.revision = file.revision
  where content.owner = $1 and content.repo = $2 and file.path > $3 order by file.path limit $4`
const READ = `
  select sha256, size, media_type from content_files file join contents content on content.id = file.content_id
  where content.owner = $1 and content.repo = $2 and file.path = $3`

interface ListedRow {
  readonly path: string
  readonly revision: string
  readonly sha256: string
  readonly size: string
  readonly media_type: string
  readonly at: Date
  readonly actor_kind: string
  readonly actor_name: string
  readonly actor_handle: string
}

async function list(query: URLSearchParams): Promise<string> {
  const values = [owner, repo, '', Number(query.get('limit'))]
  const { rows } = await pool.query<ListedRow>({ name: 'list', text: LIST, values })
  const files = rows.map((row) => ({
    path: row.path,
    revision: Number(row.revision),
    size: Number(row.size),
    sha256: row.sha256,
    mediaType: row.media_type,
    changedAt: row.at.toISOString(),
    changedBy: { kind: row.actor_kind, name: row.actor_name, handle: row.actor_handle },
  }))
  return JSON.stringify({ revision: 1, folders: [], files, nextCursor: null })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const url = new URL(request.url ?? '', 'http://bare')
  if (asksForKey !== undefined) {
    const hash = createHash('sha256').update(String(request.headers['x-api-key'])).digest()
    const { rowCount } = await pool.query({ name: 'key', text: KEY, values: [hash] })
    if (rowCount !== 1) return response.writeHead(401).end()
  }
  if (!url.pathname.endsWith('/content')) {
    const body = await list(url.searchParams)
    return response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body)
  }
  const values = [owner, repo, url.searchParams.get('path')]
  const { rows } = await pool.query<Pick<ListedRow, 'sha256' | 'size' | 'media_type'>>({
    name: 'read',
    text: READ,
    values,
  })
  const [file] = rows
  if (file === undefined) return response.writeHead(404).end()
  const { sha256, size, media_type: type } = file
  response.writeHead(200, { 'content-type': type, 'content-length': size })
  return createReadStream(join(objects, sha256.slice(0, 2), sha256.slice(2, 4), sha256)).pipe(response)
}

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1')
