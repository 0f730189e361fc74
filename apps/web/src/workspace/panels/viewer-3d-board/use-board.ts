import { useEffect, useRef, useState } from 'react'
import { UserError } from '../../../errors/user-error.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { isGone } from '../files/explain.ts'
import { nameOf } from '../files/file-tree.ts'
import { fetchTagged } from '../files/history.api.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import { keepScene, keptAt, keptOf } from './kept-scenes.ts'
import { LARGEST_BOARD_BYTES, readBoardFile } from './read-board-file.ts'
import { words } from './words.ts'

export type ShownBoard =
  | { readonly status: 'none' }
  | { readonly status: 'loading'; readonly name: string }
  | {
      readonly status: 'shown'
      readonly path: string
      readonly name: string
      /** Another one as soon as the file is changed. */
      readonly tag: string
      readonly scene: BoardScene
    }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry: () => void }

/** The boards that this page has read last: one that is opened again is there at once. */
const KEPT = 3
const kept = new Map<string, BoardScene>()

function keep(tag: string, scene: BoardScene): void {
  kept.delete(tag)
  kept.set(tag, scene)
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break
    kept.delete(oldest)
  }
}

/** The tags under which files were read last, by workspace and path. */
const tags = new Map<string, string>()
const MOST_TAGS = 100

const KEEP_AFTER_MS = 500

const NO_BOARD: ShownBoard = { status: 'none' }

/** A board of the files of the workspace, as it is now. */
export function useBoard(host: PanelHost, path: string | undefined): ShownBoard {
  const [board, setBoard] = useState<ShownBoard>(NO_BOARD)
  const lookAgain = useRef<() => void>(undefined)
  const { owner, repo } = host.workspace
  useEffect(() => {
    if (path === undefined) return undefined
    const name = nameOf(path)
    const key = `${owner}/${repo}/${path}`
    let turn = new AbortController()
    let shown: string | undefined
    let isBusy = false
    let isWanted = false
    const read = async (signal: AbortSignal) => {
      if (shown === undefined && !kept.has(tags.get(key) ?? '')) {
        const before = await keptAt(key)
        if (before !== undefined) note(before.tag, before.scene)
      }
      const usable = shown ?? (kept.has(tags.get(key) ?? '') ? tags.get(key) : undefined)
      const wanted = { path, most: LARGEST_BOARD_BYTES, ...(usable !== undefined && { known: usable }) }
      const content = await fetchTagged({ owner, repo }, wanted, signal).catch((error: unknown) => {
        throw isGone(error) ? new UserError(words.gone.title, words.gone.text(path)) : error
      })
      if (content === undefined) {
        if (usable === shown) return
        const scene = kept.get(usable ?? '')
        // Somebody else's board took its place meanwhile.
        if (scene === undefined) tags.delete(key)
        else show(usable ?? '', scene)
        return
      }
      const known = await keptOf(content.tag)
      const scene = known?.scene ?? (await readBoardFile(content.bytes, signal))
      note(content.tag, scene)
      show(content.tag, scene)
    }
    const note = (tag: string, scene: BoardScene) => {
      if (tags.size >= MOST_TAGS) tags.clear()
      tags.set(key, tag)
      keep(tag, scene)
    }
    const show = (tag: string, scene: BoardScene) => {
      if (turn.signal.aborted) return
      shown = tag
      setBoard({ status: 'shown', path, name, tag, scene })
      // It is seen first, and kept then.
      setTimeout(() => void keepScene(key, { tag, scene }, Date.now()), KEEP_AFTER_MS)
    }
    const run = async (isAgain: boolean) => {
      turn.abort()
      turn = new AbortController()
      const { signal } = turn
      isBusy = true
      isWanted = false
      if (!isAgain) setBoard({ status: 'loading', name })
      try {
        await read(signal)
      } catch (error) {
        // Without a connection what is shown is as good as before: the next news asks again.
        if (signal.aborted || (isAgain && !(error instanceof UserError))) return
        shown = undefined
        setBoard({ status: 'failed', error, retry: () => void run(false) })
      } finally {
        if (!signal.aborted) isBusy = false
      }
      if (isWanted && !signal.aborted) void run(true)
    }
    void run(false)
    lookAgain.current = () => {
      // A large board may take longer to read than the next file to change.
      if (isBusy) isWanted = true
      else void run(true)
    }
    return () => {
      lookAgain.current = undefined
      turn.abort()
    }
  }, [owner, repo, path])
  useEffect(() => host.follow((news) => void (news === 'away' || lookAgain.current?.())), [host])
  return path === undefined ? NO_BOARD : board
}
