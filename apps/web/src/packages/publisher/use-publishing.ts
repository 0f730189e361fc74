import {
  type Publication,
  postPackage,
  postPackageImport,
  type Visibility,
} from '@patchbay/contracts/registry'
import { useRef, useState } from 'react'
import { fetchWithProgress } from '../../server/upload.api.ts'
import { useSession } from '../../session/session-context.tsx'

/** Both as long as the server allows. */
const UPLOAD_DEADLINE_MS = 15 * 60_000
const IMPORT_DEADLINE_MS = 5 * 60_000

export type Publishing =
  | { readonly state: 'idle' }
  /** Without a share: the server is at work, and nobody knows for how long. */
  | { readonly state: 'sending'; readonly percent?: number }
  | { readonly state: 'done'; readonly publication: Publication }
  | { readonly state: 'refused'; readonly error: unknown }

export type Source = { readonly file: File } | { readonly url: string; readonly sha256: string }

export interface PublishingAccess {
  readonly publishing: Publishing
  readonly publish: (source: Source, visibility: Visibility) => Promise<void>
  /** Ends what is under way, and forgets how the last attempt ended. */
  readonly reset: () => void
}

export function usePublishing(owner: string, onPublished: () => void): PublishingAccess {
  const { change } = useSession()
  const [publishing, setPublishing] = useState<Publishing>({ state: 'idle' })
  const under = useRef<AbortController>(undefined)

  const send = async (source: Source, visibility: Visibility, signal: AbortSignal) => {
    const params = { owner }
    if ('url' in source) {
      const { url, sha256 } = source
      const body = { url, visibility, ...(sha256 === '' ? {} : { sha256 }) }
      return await change(postPackageImport, { params, body }, { signal, deadlineMs: IMPORT_DEADLINE_MS })
    }
    const fetch = fetchWithProgress((percent) => {
      // All is sent: now the archive is examined.
      if (!signal.aborted) setPublishing({ state: 'sending', ...(percent < 100 ? { percent } : {}) })
    })
    return await change(
      postPackage,
      { params, query: { visibility }, upload: source.file },
      { signal, deadlineMs: UPLOAD_DEADLINE_MS, fetch },
    )
  }

  const publish = async (source: Source, visibility: Visibility) => {
    const stop = new AbortController()
    under.current?.abort()
    under.current = stop
    setPublishing({ state: 'sending', ...('file' in source ? { percent: 0 } : {}) })
    try {
      const { body } = await send(source, visibility, stop.signal)
      if (stop.signal.aborted) return
      setPublishing({ state: 'done', publication: body })
      onPublished()
    } catch (error) {
      if (!stop.signal.aborted) setPublishing({ state: 'refused', error })
    }
  }

  const reset = () => {
    under.current?.abort()
    setPublishing({ state: 'idle' })
  }
  return { publishing, publish, reset }
}
