import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { createProgram } from '../src/program.ts'

export const CLI = fileURLToPath(new URL('./command.ts', import.meta.url))

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  readonly ended: Promise<Outcome>
}

/** Somebody at a shell, with a home that is also where they work. */
export interface User extends AsyncDisposable {
  readonly home: string
  at(...path: string[]): string
  /** The commands themselves, in this process: a new one costs half a second, and there are hundreds. */
  run(...args: string[]): Promise<Outcome>
  runWith(environment: Record<string, string>, ...args: string[]): Promise<Outcome>
  /** In a folder of their home. */
  runIn(folder: string, ...args: string[]): Promise<Outcome>
  /** Runs it that many days from now. */
  runLater(days: number, ...args: string[]): Promise<Outcome>
  /** A process, for what only a process can show: signals, standard input, what is printed where. */
  start(...args: string[]): Running
  startWith(input: string | undefined, ...args: string[]): Running
  startIn(folder: string, ...args: string[]): Running
  /** Runs it with `--json`, and answers the one document. */
  json<T>(...args: string[]): Promise<T>
}

class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

export async function createUser(environment: Record<string, string> = {}): Promise<User> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-user-')))
  const runWith = (more: Record<string, string>, args: readonly string[]) =>
    runInside(home, { HOME: home, ...environment, ...more }, args)
  const later = (days: number, args: readonly string[]) =>
    runInside(home, { HOME: home, ...environment }, args, { days })
  const started: Running[] = []
  const startWith = (input: string | undefined, args: readonly string[], folder = home) => {
    const running = startOutside(folder, { HOME: home, ...environment }, input, args)
    started.push(running)
    return running
  }
  return {
    home,
    at: (...path) => join(home, ...path),
    run: (...args) => runWith({}, args),
    runWith: (more, ...args) => runWith(more, args),
    runIn: (folder, ...args) => runInside(join(home, folder), { HOME: home, ...environment }, args),
    runLater: (days, ...args) => later(days, args),
    start: (...args) => startWith('', args),
    startWith: (input, ...args) => startWith(input, args),
    startIn: (folder, ...args) => startWith('', args, join(home, folder)),
    json: async <T>(...args: string[]) => JSON.parse((await runWith({}, [...args, '--json'])).stdout) as T,
    async [Symbol.asyncDispose]() {
      // A test that fails half way would leave servers behind that nobody ends.
      for (const { child } of started) child.kill('SIGKILL')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** One at a time in a process: it is in the folder of whoever runs it, and would return to one that is gone. */
let isInside = false

async function runInside(
  folder: string,
  environment: Record<string, string>,
  args: readonly string[],
  ahead = { days: 0 },
): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' }
  if (isInside) throw new Error('two commands at once inside one process: start one of them outside')
  isInside = true
  const before = process.cwd()
  process.chdir(folder)
  const program = createProgram({
    environment,
    host: {
      on: () => undefined,
      exit: (code) => {
        throw new Exit(code ?? 0)
      },
    },
    runId: 'test',
    createNonce: () => 'nonce',
    createSecret: () => 'secret',
    print: (text) => void (texts.stdout += `${text}\n`),
    printError: (text) => void (texts.stderr += `${text}\n`),
    paint: { out: (_format, text) => text, error: (_format, text) => text },
    hostName: 'test',
    createId: () => randomUUID(),
    now: () => Date.now() + ahead.days * 86_400_000,
    platform: process.platform,
    input: { isInteractive: false, stream: Readable.from([]) },
    writeBytes: async (bytes) => void (texts.stdout += Buffer.from(bytes).toString('utf8')),
    terminal: {
      isInteractive: false,
      columns: () => undefined,
      // How far something is, is told after a second: whether it is depends on the machine.
      write: () => undefined,
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return { code: 0, ...texts }
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...texts }
    throw error
  } finally {
    process.chdir(before)
    isInside = false
  }
}

function startOutside(
  folder: string,
  environment: Record<string, string>,
  input: string | undefined,
  args: readonly string[],
): Running {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: withCompiledCode({ PATH, ...environment }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  if (input !== undefined) child.stdin.end(input)
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString('utf8')
    })
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, ended }
}

export const NO_STACK = /\n\s+at |\.ts:\d|Error:|undefined|\[object/
