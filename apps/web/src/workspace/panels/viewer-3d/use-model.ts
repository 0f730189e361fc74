import type { Viewer3dState } from '@patchbay/contracts/panels'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Object3D } from 'three'
import { UserError } from '../../../errors/user-error.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { isGone } from '../files/explain.ts'
import { nameOf } from '../files/file-tree.ts'
import { fetchTagged } from '../files/history.api.ts'
import type { ModelFacts } from '../stage/measure-model.ts'
import type { Stage } from '../stage/stage.ts'
import { loadModel } from './load-model.ts'
import { fetchModel } from './model.api.ts'
import { LARGEST_MODEL_BYTES, requireSmall } from './model-file.ts'
import { words } from './words.ts'

export type ShownModel =
  | { readonly status: 'none' }
  | { readonly status: 'loading'; readonly name: string }
  | {
      readonly status: 'shown'
      readonly name: string
      readonly bytes: number
      readonly facts: ModelFacts
      readonly object: Object3D
      /** A file of this computer: nobody else sees it. */
      readonly local?: File
    }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry?: () => void }

interface Content {
  readonly bytes: Uint8Array
  /** Of a file of the workspace: another one as soon as it is changed. */
  readonly tag?: string
}

/** `undefined`: what is shown is still what it is. */
type Read = (signal: AbortSignal) => Promise<Content | undefined>

interface Beginning {
  readonly local?: File
  readonly retry?: () => void
  /** Of a file that may have changed: what is shown stays until there is something else. */
  readonly isAgain?: boolean
  /** Whether to look from where the camera is now. */
  readonly keepsView?: boolean
  /** With the tag of what is shown now. */
  readonly onShown?: (tag: string | undefined) => void
}

/** The model that stands on a stage: the one of a file of the workspace or of an address, until somebody opens another here. */
export function useModel(stage: RefObject<Stage | null>, host: PanelHost, { path, url }: Viewer3dState) {
  const [model, setModel] = useState<ShownModel>({ status: 'none' })
  /** Of what was asked for last: whatever was asked for before it comes too late. */
  const latest = useRef(new AbortController())
  /** Looks whether the file of the workspace that is shown has changed. */
  const lookAgain = useRef<() => void>(undefined)
  const { owner, repo } = host.workspace

  const begin = async (name: string, read: Read, beginning: Beginning) => {
    const { local, retry, isAgain = false, keepsView = false, onShown } = beginning
    latest.current.abort()
    const turn = new AbortController()
    latest.current = turn
    if (!isAgain) setModel({ status: 'loading', name })
    try {
      const content = await read(turn.signal)
      if (content === undefined) return
      const { object, facts } = await loadModel(content.bytes, name, turn.signal)
      if (turn.signal.aborted) return
      stage.current?.show({ object, isZUp: facts.isZUp }, keepsView)
      onShown?.(content.tag)
      const bytes = content.bytes.byteLength
      setModel({ status: 'shown', name, bytes, facts, object, ...(local !== undefined && { local }) })
    } catch (error) {
      // Without a connection what is shown is as good as before: the next news asks again.
      if (turn.signal.aborted || (isAgain && !(error instanceof UserError))) return
      stage.current?.show(undefined, keepsView)
      setModel({ status: 'failed', error, ...(retry === undefined ? {} : { retry }) })
    }
  }
  const beginLatest = useRef(begin)
  useEffect(() => {
    beginLatest.current = begin
  })

  useEffect(() => {
    if (path === undefined && url === undefined) return undefined
    const name = path === undefined ? decodeName(url ?? '') : nameOf(path)
    let shown: { readonly tag: string | undefined } | undefined
    let isBusy = false
    let isWanted = false
    const read: Read = async (signal) => {
      if (path === undefined) return { bytes: await fetchModel({ owner, repo }, url ?? '', signal) }
      const known = shown?.tag === undefined ? {} : { known: shown.tag }
      const wanted = { path, most: LARGEST_MODEL_BYTES, ...known }
      return await fetchTagged({ owner, repo }, wanted, signal).catch(explainedFor(path))
    }
    const run = async (isAgain: boolean) => {
      isBusy = true
      isWanted = false
      await beginLatest.current(name, read, {
        retry: load,
        isAgain,
        keepsView: isAgain && shown !== undefined,
        onShown: (tag) => {
          shown = { tag }
        },
      })
      isBusy = false
      if (isWanted) look()
    }
    const load = () => {
      shown = undefined
      void run(false)
    }
    const look = () => {
      if (lookAgain.current !== look) return
      // A large model may take longer to read than the next file to change: it would never be shown.
      if (isBusy) isWanted = true
      else void run(true)
    }
    load()
    lookAgain.current = path === undefined ? undefined : look
    return () => {
      lookAgain.current = undefined
    }
  }, [owner, repo, path, url])
  useEffect(() => {
    const turns = latest
    return () => turns.current.abort()
  }, [])
  useEffect(() => host.follow((news) => void (news === 'away' || lookAgain.current?.())), [host])

  const open = (file: File) => {
    lookAgain.current = undefined
    return begin(
      file.name,
      async () => {
        requireSmall({ byteLength: file.size })
        return { bytes: new Uint8Array(await file.arrayBuffer()) }
      },
      { local: file },
    )
  }
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
