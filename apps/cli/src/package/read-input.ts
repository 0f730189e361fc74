import { addAbortSignal, Readable } from 'node:stream'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'

const MOST_BYTES = 256 * 1024 * 1024

/** All of standard input, as text. */
export async function readInput({ surroundings, signal }: Task): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  // Without the signal Ctrl-C would wait for the end of the input.
  const stream = new Readable().wrap(surroundings.input.stream)
  for await (const part of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > MOST_BYTES)
      throw new Refusal(EXIT.failed, 'too_large', 'More than 256 MB came in: that is no package metadata.')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}
