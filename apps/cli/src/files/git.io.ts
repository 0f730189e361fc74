import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { type Readable, Readable as ReadableStream, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isErrno } from '@patchbay/primitives/files'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'

/** A repository may have come from anywhere: what its configuration would have Git start is turned off. */
const NOTHING_STARTED = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'submodule.recurse=false',
]
const ANSWER_BYTES = 256 * 1024 * 1024
const COMPLAINT_CHARACTERS = 2_000

/** Git in one folder, which is the top of a repository; it looks for none above. */
export interface Git {
  readonly folder: string
  /** What it prints. `input` is written to it while it does. */
  run(args: readonly string[], input?: Iterable<string> | AsyncIterable<string | Uint8Array>): Promise<Buffer>
  /** The same for what is too much to hold. Leaving the loop ends Git. */
  stream(args: readonly string[], input?: Iterable<string>): AsyncGenerator<Buffer>
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export function gitIn(task: Task, folder: string): Git {
  const start = (args: readonly string[]): Child =>
    spawn('git', [...NOTHING_STARTED, ...args], {
      cwd: folder,
      env: environmentOf(task, folder),
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: task.signal,
    })

  async function* stream(
    args: readonly string[],
    input: Iterable<string> | AsyncIterable<string | Uint8Array> = [],
  ): AsyncGenerator<Buffer> {
    const child = start(args)
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT_CHARACTERS)
    })
    const ended = once(child, 'close') as Promise<[number | null]>
    // Looked at below; until then it must not be one that nobody handles.
    ended.catch(() => undefined)
    let inputFailure: unknown
    const fed = pipeline(ReadableStream.from(input), child.stdin).catch((error: unknown) => {
      inputFailure = error
      // Git would take what was cut off for the whole.
      if (!isBrokenPipe(error)) child.kill('SIGKILL')
    })
    try {
      yield* child.stdout as AsyncIterable<Buffer>
      const [code] = await ended
      await fed
      if (inputFailure !== undefined && !isBrokenPipe(inputFailure)) throw inputFailure
      if (code !== 0) throw gitFailed(complaint)
    } catch (error) {
      throw isErrno(error) && error.code === 'ENOENT' && error.syscall?.startsWith('spawn') === true
        ? gitMissing()
        : error
    } finally {
      child.kill('SIGKILL')
    }
  }

  return {
    folder,
    stream,
    async run(args, input) {
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of stream(args, input)) {
        chunks.push(chunk)
        bytes += chunk.byteLength
        if (bytes > ANSWER_BYTES)
          throw new Refusal(EXIT.failed, 'history_too_large', `The history in ${folder} is too large.`)
      }
      return Buffer.concat(chunks)
    },
  }
}

function environmentOf({ surroundings }: Task, folder: string): NodeJS.ProcessEnv {
  // Within a hook of Git these name another repository.
  const own = Object.entries(surroundings.environment).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_CEILING_DIRECTORIES: dirname(folder),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // A clone that is not whole fetches what it lacks, with a program that its configuration names.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  }
}

function isBrokenPipe(error: unknown): boolean {
  return isErrno(error) && ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(error.code ?? '')
}

function gitFailed(complaint: string): Refusal {
  const said = complaint.trim().split('\n').map(stripHidden).join('\n')
  return new Refusal(EXIT.failed, 'git_failed', `Git could not do it.${said === '' ? '' : `\n${said}`}`)
}

function gitMissing(): Refusal {
  return new Refusal(
    EXIT.unavailable,
    'git_missing',
    'This needs Git, and there is no "git" on your PATH.\nInstall it from https://git-scm.com, and try again.',
  )
}
