import type { Viewer3dState, WorkspaceRef } from '@patchbay/contracts/panels'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { UserError } from '../../../errors/user-error.ts'
import { isGone } from '../files/explain.ts'
import { nameOf } from '../files/file-tree.ts'
import { fetchContent } from '../files/history.api.ts'
import { loadModel } from './load-model.ts'
import type { ModelFacts } from './measure-model.ts'
import { fetchModel } from './model.api.ts'
import { LARGEST_MODEL_BYTES, requireSmall } from './model-file.ts'
import type { Stage } from './stage.ts'
import { words } from './words.ts'

export type ShownModel =
  | { readonly status: 'none' }
  | { readonly status: 'loading'; readonly name: string }
  | {
      readonly status: 'shown'
      readonly name: string
      readonly bytes: number
      readonly facts: ModelFacts
      /** A file of this computer: nobody else sees it. */
      readonly local?: File
    }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry?: () => void }

/** The model that stands on a stage: the one of a file of the workspace or of an address, until somebody opens another here. */
export function useModel(
  stage: RefObject<Stage | null>,
  workspace: WorkspaceRef,
  { path, url }: Viewer3dState,
) {
  const [model, setModel] = useState<ShownModel>({ status: 'none' })
  /** Of what was asked for last: whatever was asked for before it comes too late. */
  const latest = useRef(new AbortController())
  const { owner, repo } = workspace

  const begin = async (
    name: string,
    read: (signal: AbortSignal) => Promise<Uint8Array>,
    { local, retry }: { readonly local?: File; readonly retry?: () => void },
  ) => {
    latest.current.abort()
    const turn = new AbortController()
    latest.current = turn
    setModel({ status: 'loading', name })
    try {
      const bytes = await read(turn.signal)
      const { object, facts } = await loadModel(bytes, name)
      if (turn.signal.aborted) return
      stage.current?.show(object)
      setModel({
        status: 'shown',
        name,
        bytes: bytes.byteLength,
        facts,
        ...(local !== undefined && { local }),
      })
    } catch (error) {
      if (turn.signal.aborted) return
      stage.current?.show(undefined)
      setModel({ status: 'failed', error, ...(retry === undefined ? {} : { retry }) })
    }
  }
  const beginLatest = useRef(begin)
  useEffect(() => {
    beginLatest.current = begin
  })

  useEffect(() => {
    if (path === undefined && url === undefined) return
    const read = (signal: AbortSignal) =>
      path === undefined
        ? fetchModel({ owner, repo }, url ?? '', signal)
        : fetchContent({ owner, repo }, { path, most: LARGEST_MODEL_BYTES }, signal).catch(explainedFor(path))
    const name = path === undefined ? decodeName(url ?? '') : nameOf(path)
    const load = () => void beginLatest.current(name, read, { retry: load })
    load()
  }, [owner, repo, path, url])
  useEffect(() => {
    const turns = latest
    return () => turns.current.abort()
  }, [])

  const open = (file: File) =>
    begin(
      file.name,
      async () => {
        requireSmall({ byteLength: file.size })
        return new Uint8Array(await file.arrayBuffer())
      },
      { local: file },
    )
  return { model, open }
}

function explainedFor(path: string): (error: unknown) => never {
  return (error) => {
    throw isGone(error) ? new UserError(words.gone.title, words.gone.text(path)) : error
  }
}

function decodeName(url: string): string {
  const name = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name) || url
  } catch {
    return name
  }
}
