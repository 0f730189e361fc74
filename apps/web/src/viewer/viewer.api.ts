import {
  deletePaste,
  getScreenshotPaste,
  getViewerStatus,
  listPastes,
  type Paste,
  patchPaste,
  postPaste,
  postPasteUndo,
  postUploadGrant,
  UPLOAD_GRANT_HEADER,
  UPLOAD_NONCE_META,
  UPLOAD_NONCE_PLACEHOLDER,
  type ViewerStatus,
} from '@patchbay/contracts/viewer'
import { ask } from '../server/server.api.ts'
import { fetchWithProgress } from '../server/upload.api.ts'

/** 32 MB to a program on the same machine, and what it takes to make two files of it. */
const UPLOAD_DEADLINE_MS = 120_000

export const fetchStatus = async (signal: AbortSignal): Promise<ViewerStatus> =>
  (await ask(getViewerStatus, {}, { signal })).body

export interface PastePage {
  readonly items: readonly Paste[]
  readonly next_cursor: string | null
}

export const fetchPastes = async (limit: number, cursor?: string): Promise<PastePage> =>
  (await ask(listPastes, { query: { limit, ...(cursor !== undefined && { cursor }) } })).body

export const renamePaste = async (id: string, name: string): Promise<Paste> =>
  (await ask(patchPaste, { params: { id }, body: { name } })).body

export const undoPaste = async (id: string): Promise<Paste> =>
  (await ask(postPasteUndo, { params: { id } })).body

export async function removePaste(id: string): Promise<void> {
  await ask(deletePaste, { params: { id } })
}

/** The nonce in a page as it was served. One from the development server may have none. */
export function nonceIn(page: Document): string | undefined {
  const nonce = page.querySelector<HTMLMetaElement>(`meta[name=${UPLOAD_NONCE_META}]`)?.content
  return nonce === '' || nonce === UPLOAD_NONCE_PLACEHOLDER ? undefined : nonce
}

/** Loads the widget once more, for the nonce in it. */
export async function fetchNonce(): Promise<string> {
  const { body } = await ask(getScreenshotPaste, { query: {} })
  const nonce = nonceIn(new DOMParser().parseFromString(body, 'text/html'))
  if (nonce === undefined) throw new Error('the widget was served without a nonce')
  return nonce
}

export const tradeNonce = async (nonce: string): Promise<string> =>
  (await ask(postUploadGrant, { body: { nonce } })).body.grant

export interface PictureToSend {
  readonly file: File
  readonly fileName: string | undefined
  readonly title: string | undefined
}

export async function sendPicture(
  { file, fileName, title }: PictureToSend,
  grant: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (percent: number) => void },
): Promise<Paste> {
  const { body } = await ask(
    postPaste,
    {
      headers: { [UPLOAD_GRANT_HEADER]: grant },
      query: {
        ...(fileName !== undefined && { file_name: fileName }),
        ...(title !== undefined && { title }),
      },
      upload: file,
    },
    { signal, deadlineMs: UPLOAD_DEADLINE_MS, fetch: fetchWithProgress(onProgress) },
  )
  return body
}
