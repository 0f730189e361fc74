import { FILE_LIMITS } from '@patchbay/contracts/limits'
import { UserError } from '../../../errors/user-error.ts'
import type { BoardAnswer, BoardOrder } from './drawing/board.worker.ts'
import type { BoardChanges } from './drawing/compare-boards.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import { workerUrl } from './drawing/worker-url.ts'
import { words } from './words.ts'

export const LARGEST_BOARD_BYTES = FILE_LIMITS.fileBytes
const DEADLINE_MS = 90_000

/** Reads and draws a board. */
export async function readBoardFile(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<BoardScene> {
  const answer = await work({ bytes }, [bytes.buffer], signal)
  if (answer.status === 'read') return answer.scene
  throw explained(answer)
}

export interface ComparedBoards {
  readonly changes: BoardChanges
  /** The earlier version, if it was to be drawn. */
  readonly before: BoardScene | undefined
}

/** What is different from an earlier version. */
export async function compareBoardFiles(
  bytes: Uint8Array<ArrayBuffer>,
  before: Uint8Array<ArrayBuffer>,
  isBeforeDrawn: boolean,
  signal: AbortSignal,
): Promise<ComparedBoards> {
  const answer = await work({ bytes, before, isBeforeDrawn }, [bytes.buffer, before.buffer], signal)
  if (answer.status === 'compared') return answer
  throw explained(answer)
}

function explained(answer: BoardAnswer): Error {
  if (answer.status !== 'failed') return new UserError(words.noReader.title, words.noReader.text)
  if (answer.reason === 'damaged') return new UserError(words.damaged.title, answer.detail)
  const { title, text } = words[answer.reason]
  return new UserError(title, text)
}

/** In a worker of its own, which ends with it: what it took of memory is given back. */
async function work(order: BoardOrder, buffers: ArrayBuffer[], signal: AbortSignal): Promise<BoardAnswer> {
  if (buffers.some(({ byteLength }) => byteLength > LARGEST_BOARD_BYTES))
    throw new UserError(words.tooLarge.title, words.tooLarge.text)
  signal.throwIfAborted()
  const worker = new Worker(workerUrl, { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<BoardAnswer>()
  const timer = setTimeout(() => reject(new UserError(words.tooSlow.title, words.tooSlow.text)), DEADLINE_MS)
  const giveUp = () => reject(signal.reason as Error)
  signal.addEventListener('abort', giveUp)
  worker.addEventListener('message', ({ data }: MessageEvent<BoardAnswer>) => resolve(data))
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    reject(new UserError(words.noReader.title, words.noReader.text))
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of this page
  worker.postMessage(order, buffers)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    worker.terminate()
  }
}
