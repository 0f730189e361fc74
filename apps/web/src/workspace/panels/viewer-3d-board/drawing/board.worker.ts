import { type Board, KicadSyntaxError, parse, readBoard } from '@patchbay/kicad-format'
import { type BoardChanges, compareBoards } from './compare-boards.ts'
import { type BoardScene, drawBoard } from './draw-board.ts'
import type { FlatMesh } from './flat-mesh.ts'

export interface BoardOrder {
  readonly bytes: Uint8Array
  /** The version to compare with; without it, the board is drawn. */
  readonly before?: Uint8Array
  /** Whether that version is drawn as well. */
  readonly isBeforeDrawn?: boolean
}

export type BoardAnswer =
  | { readonly status: 'read'; readonly scene: BoardScene }
  | { readonly status: 'compared'; readonly changes: BoardChanges; readonly before: BoardScene | undefined }
  | {
      readonly status: 'failed'
      readonly reason: 'noBoard' | 'damaged' | 'tooLarge'
      readonly detail: string
    }

interface Answered {
  readonly answer: BoardAnswer
  readonly buffers: ArrayBuffer[]
}

globalThis.addEventListener('message', ({ data }: MessageEvent<BoardOrder>) => {
  const { answer, buffers } = work(data)
  globalThis.postMessage(answer, { transfer: buffers })
})

function work({ bytes, before, isBeforeDrawn = false }: BoardOrder): Answered {
  try {
    const board = readBoard(parse(bytes))
    const earlier = before === undefined ? undefined : readBoard(parse(before))
    if (board === undefined || (before !== undefined && earlier === undefined)) return failed('noBoard')
    return earlier === undefined ? drawn(board) : compared(board, earlier, isBeforeDrawn)
  } catch (error) {
    if (error instanceof KicadSyntaxError) return failed('damaged', error.message)
    // What is no fault of the file's grammar is memory that ran out.
    return failed('tooLarge')
  }
}

function failed(reason: Extract<BoardAnswer, { status: 'failed' }>['reason'], detail = ''): Answered {
  return { answer: { status: 'failed', reason, detail }, buffers: [] }
}

function drawn(board: Board): Answered {
  const scene = drawBoard(board)
  return { answer: { status: 'read', scene }, buffers: buffersOf(meshesOf(scene)) }
}

function compared(now: Board, earlier: Board, isBeforeDrawn: boolean): Answered {
  const changes = compareBoards(now, earlier)
  const before = isBeforeDrawn ? drawBoard(earlier) : undefined
  const drawnMeshes = before === undefined ? [] : meshesOf(before)
  return {
    answer: { status: 'compared', changes, before },
    buffers: buffersOf([...changes.added, ...changes.removed, ...drawnMeshes]),
  }
}

const meshesOf = ({ faces, sides, drilled, meshes }: BoardScene) => [faces, sides, drilled, ...meshes]

function buffersOf(meshes: readonly FlatMesh[]): ArrayBuffer[] {
  return meshes.flatMap(({ positions, index, nets }) => [positions.buffer, index.buffer, nets.buffer])
}
