import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Site } from '../site.ts'

export interface WorkspaceFiles {
  readonly contents: Map<string, string | Buffer>
  /** The paths whose content was asked for. */
  readonly read: string[]
}

const FILES = /^\/api\/workspaces\/editor\/ada\/rover\/files(\/content|\/changed-paths)?$/

/** Our server, with these files: lists them and sends their content. */
export function answerFiles(site: Site, given: Readonly<Record<string, string | Buffer>>): WorkspaceFiles {
  const contents = new Map(Object.entries(given))
  const read: string[] = []
  site.answer(FILES, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', site.url)
    if (pathname.endsWith('/content')) {
      const path = searchParams.get('path') ?? ''
      const content = contents.get(path)
      read.push(path)
      if (content === undefined) return problem(response, 404, 'file_not_found')
      const etag = `"${createHash('sha256').update(content).digest('hex')}"`
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
      response.writeHead(200, { 'content-type': 'application/octet-stream', etag }).end(content)
      return undefined
    }
    if (pathname.endsWith('/changed-paths'))
      return json(response, { revision: 1, items: [], nextCursor: null })
    const folder = searchParams.get('folder')
    const prefix = folder === null ? '' : `${folder}/`
    const below = [...contents].filter(([path]) => path.startsWith(prefix))
    const isRecursive = searchParams.get('recursive') === 'true'
    const isHere = (path: string) => isRecursive || !path.slice(prefix.length).includes('/')
    const folders = new Set(
      below
        .filter(([path]) => !isHere(path))
        .map(([path]) => prefix + path.slice(prefix.length).split('/')[0]),
    )
    return json(response, {
      revision: 1,
      folders: [...folders].map((path) => ({ path, files: 1, bytes: 1 })),
      files: below.filter(([path]) => isHere(path)).map(([path, content]) => fileOf(path, content)),
      nextCursor: null,
    })
  })
  return { contents, read }
}

function fileOf(path: string, content: string | Buffer) {
  const mediaType = path.endsWith('.png') ? 'image/png' : 'text/plain'
  const size = Buffer.byteLength(content)
  return { path, revision: 1, size, sha256: '0'.repeat(64), mediaType }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function problem(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify({ type: `/problems/${code}`, title: code, status, code }))
}
