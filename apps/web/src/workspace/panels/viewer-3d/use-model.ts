import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { UserError } from '../../../errors/user-error.ts'
import { loadModel } from './load-model.ts'
import type { ModelFacts } from './measure-model.ts'
import { fetchModel } from './model.api.ts'
import { LARGEST_MODEL_BYTES } from './model-file.ts'
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
      /** From a file of this computer: nobody else sees it. */
      readonly isLocal: boolean
    }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry?: () => void }

/** The model that stands on a stage: the one of an address, until somebody opens a file here. */
export function useModel(stage: RefObject<Stage | null>, workspace: WorkspaceRef, url: string | undefined) {
  const [model, setModel] = useState<ShownModel>({ status: 'none' })
  /** Of what was asked for last: whatever was asked for before it comes too late. */
  const latest = useRef(new AbortController())
  const { owner, repo } = workspace

  const begin = async (
    name: string,
    read: (signal: AbortSignal) => Promise<Uint8Array>,
    retry?: () => void,
  ) => {
    const isLocal = retry === undefined
    latest.current.abort()
    const turn = new AbortController()
    latest.current = turn
    setModel({ status: 'loading', name })
    try {
      const bytes = await read(turn.signal)
      const { object, facts } = await loadModel(bytes)
      if (turn.signal.aborted) return
      stage.current?.show(object)
      setModel({ status: 'shown', name, bytes: bytes.byteLength, facts, isLocal })
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
    if (url === undefined) return
    const load = () =>
      void beginLatest.current(decodeName(url), (signal) => fetchModel({ owner, repo }, url, signal), load)
    load()
  }, [owner, repo, url])
  useEffect(() => {
    const turns = latest
    return () => turns.current.abort()
  }, [])

  const open = (file: File) =>
    begin(file.name, async () => {
      if (file.size > LARGEST_MODEL_BYTES) throw new UserError(words.tooLarge.title, words.tooLarge.text)
      return new Uint8Array(await file.arrayBuffer())
    })
  return { model, open }
}

function decodeName(url: string): string {
  const name = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name) || url
  } catch {
    return name
  }
}
