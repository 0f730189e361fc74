import type { WantedAnswer } from '../frame-messages.ts'
import { get, isArray, PromiseOf, put } from './intrinsics.ts'

interface Waiting {
  readonly take: (answer: WantedAnswer) => void
}

export interface FilesInFrame {
  /** What code is given as `files`. */
  readonly api: object
  answer(number: number, answer: WantedAnswer): void
}

type Ask = (number: number, what: 'read' | 'list', path: string) => void

/** Reading the project's files, for code: each call is a question to the page around the frame. */
export function filesInFrame(ask: Ask): FilesInFrame {
  const waiting = { __proto__: null } as unknown as Record<string, Waiting | undefined>
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let last = 0

  function asked<T>(what: 'read' | 'list', path: unknown, read: (answer: WantedAnswer) => T): Promise<T> {
    return new PromiseOf<T>((resolve, reject) => {
      last += 1
      const take = (answer: WantedAnswer): void => {
        if ('error' in answer) return reject(new Error(answer.error))
        try {
          resolve(read(answer))
        } catch (error) {
          reject(error)
        }
      }
      put(waiting, `${last}`, { take })
      ask(last, what, String(path))
    })
  }

  const bytes = (path: unknown) =>
    asked('read', path, (answer) => new Uint8Array('bytes' in answer ? answer.bytes : new ArrayBuffer()))
  const api = {
    bytes,
    read: (path: unknown) =>
      asked('read', path, (answer) => {
        try {
          return decoder.decode('bytes' in answer ? answer.bytes : new ArrayBuffer())
        } catch {
          throw new Error(`${String(path)} is not text. Use files.bytes to read it.`)
        }
      }),
    list: (folder: unknown = '') =>
      asked('list', folder, (answer) =>
        'paths' in answer && isArray(answer.paths) ? [...answer.paths] : [],
      ),
  }
  return {
    api,
    answer(number, given) {
      const entry: Waiting | undefined = get(waiting, `${number}`)
      put(waiting, `${number}`, undefined)
      entry?.take(given)
    },
  }
}
