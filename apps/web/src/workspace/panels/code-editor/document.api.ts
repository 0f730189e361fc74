import { type EditedDocument, getDocument, getFiles, putFile } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { ask } from '../../../server/server.api.ts'
import type { PanelHost } from '../../panel-definition.ts'

const READ_DEADLINE_MS = 30_000
const PAGE = 1_000
/** A workspace has 10,000 files. */
const MOST_PAGES = 11
const MOST_NAMES = 50

export async function fetchDocument(params: WorkspaceRef, path: string): Promise<EditedDocument> {
  const { body } = await ask(getDocument, { params, query: { path } }, { deadlineMs: READ_DEADLINE_MS })
  return body
}

/** Of every file there is. */
export async function fetchPaths(params: WorkspaceRef, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { recursive: true, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const { body } = await ask(getFiles, { params, query }, { signal, deadlineMs: READ_DEADLINE_MS })
    paths.push(...body.files.map(({ path }) => path))
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return paths
}

type Asking = Pick<PanelHost, 'workspace' | 'csrfToken'>

/** Writes a file that is not there yet. */
export async function createFile(
  { workspace, csrfToken }: Asking,
  path: string,
  text: string,
): Promise<void> {
  await ask(
    putFile,
    { params: workspace, query: { path }, headers: {}, upload: new Blob([text]) },
    { headers: { 'x-csrf-token': csrfToken() }, deadlineMs: READ_DEADLINE_MS },
  )
}

/** The same under the first name that is free, `note.txt` or `note 2.txt`. Answers which one it got. */
export async function createFileNear(asking: Asking, path: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : numbered(path, number)
    try {
      await createFile(asking, name, text)
      return name
    } catch (error) {
      const isTaken = error instanceof Problem && ['file_changed', 'path_taken'].includes(error.code)
      if (!isTaken || number === MOST_NAMES) throw error
    }
  }
}

function numbered(path: string, number: number): string {
  const [, stem = path, ending = ''] = /^(.*?[^/])(\.[^./]*)?$/.exec(path) ?? []
  return `${stem} ${number}${ending}`
}
