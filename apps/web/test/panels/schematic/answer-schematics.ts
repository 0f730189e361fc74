import type { Site } from '../../site.ts'
import { answerEngine, type Engine } from '../board-engine.ts'
import { answerFiles, type WorkspaceFiles } from '../workspace-files.ts'

/** Our server with these files, each open as a document that nobody has edited; without KiCad unless it is given. */
export function answerSchematics(
  site: Site,
  files: Readonly<Record<string, string>>,
  engine: Engine = { isRunning: false },
): WorkspaceFiles {
  answerEngine(site, engine)
  const answered = answerFiles(site, files)
  site.answer(/\/files\/document$/, (request, response) => {
    const path = new URL(request.url ?? '/', site.url).searchParams.get('path') ?? ''
    const text = answered.contents.get(path)
    const isMissing = typeof text !== 'string'
    const code = isMissing ? 'file_not_found' : text.length > 1_000_000 ? 'file_not_text' : undefined
    if (code !== undefined) {
      const status = isMissing ? 404 : 422
      response.writeHead(status, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ type: `/problems/${code}`, title: code, status, code }))
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ document: 1, version: 0, savedVersion: 0, text }))
  })
  return answered
}
