import { type Board, KicadSyntaxError, parse, readBoard } from '@patchbay/kicad-format'
import { type BoardChanges, compareBoards } from './compare-boards.ts'
import { type BoardScene, drawBoard } from './draw-board.ts'
import type { FlatMesh } from './flat-mesh.ts'

export interface BoardOrder {
  readonly bytes: Uint8Array
  /** The version to compare with; without it, the board is drawn. */
  readonly before?: Uint8Array
}

export type BoardAnswer =
  | { readonly status: 'read'; readonly scene: BoardScene }
  | { readonly status: 'compared'; readonly changes: BoardChanges }
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

function work({ bytes, before }: BoardOrder): Answered {
  try {
    const board = readBoard(parse(bytes))
    const earlier = before === undefined ? undefined : readBoard(parse(before))
    if (board === undefined || (before !== undefined && earlier === undefined)) return failed('noBoard')
    return earlier === undefined ? drawn(board) : compared(board, earlier)
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
  const { faces, sides, drilled, meshes } = scene
  return { answer: { status: 'read', scene }, buffers: buffersOf([faces, sides, drilled, ...meshes]) }
}

function compared(now: Board, before: Board): Answered {
  const changes = compareBoards(now, before)
  return {
    answer: { status: 'compared', changes },
    buffers: buffersOf([...changes.added, ...changes.removed]),
  }
}

function buffersOf(meshes: readonly FlatMesh[]): ArrayBuffer[] {
  return meshes.flatMap(({ positions, index, nets }) => [positions.buffer, index.buffer, nets.buffer])
}
