import { type EditedDocument, getDocument } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { ask } from '../../../server/server.api.ts'
import { type Asking, writeFile } from '../parts/files.api.ts'

const READ_DEADLINE_MS = 30_000
const MOST_NAMES = 50

export async function fetchDocument(params: WorkspaceRef, path: string): Promise<EditedDocument> {
  const { body } = await ask(getDocument, { params, query: { path } }, { deadlineMs: READ_DEADLINE_MS })
  return body
}

/** Writes a new file under the first name that is free, `note.txt` or `note 2.txt`. Answers which one it got. */
export async function createFileNear(asking: Asking, path: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : numbered(path, number)
    try {
      await writeFile(asking, name, new Blob([text]))
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
