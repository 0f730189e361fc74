import { KicadSyntaxError, parseBoard, readBoard } from '@patchbay/kicad-format'
import { type BoardScene, drawBoard } from './draw-board.ts'
import type { FlatMesh } from './flat-mesh.ts'

export type BoardAnswer =
  | { readonly status: 'read'; readonly scene: BoardScene }
  | {
      readonly status: 'failed'
      readonly reason: 'noBoard' | 'damaged' | 'tooLarge'
      readonly detail: string
    }

globalThis.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  const { answer, buffers } = read(data)
  globalThis.postMessage(answer, { transfer: buffers })
})

function read(bytes: Uint8Array): { readonly answer: BoardAnswer; readonly buffers: ArrayBuffer[] } {
  const failed = (reason: Extract<BoardAnswer, { status: 'failed' }>['reason'], detail = '') => ({
    answer: { status: 'failed', reason, detail } as const,
    buffers: [],
  })
  try {
    const board = readBoard(parseBoard(bytes))
    if (board === undefined) return failed('noBoard')
    const scene = drawBoard(board)
    return { answer: { status: 'read', scene }, buffers: buffersOf(scene) }
  } catch (error) {
    if (error instanceof KicadSyntaxError) return failed('damaged', error.message)
    // What is no fault of the file's grammar is memory that ran out.
    return failed('tooLarge')
  }
}

function buffersOf({ faces, sides, drilled, meshes }: BoardScene): ArrayBuffer[] {
  const all: readonly FlatMesh[] = [faces, sides, drilled, ...meshes]
  return all.flatMap(({ positions, index, nets }) => [positions.buffer, index.buffer, nets.buffer])
}
