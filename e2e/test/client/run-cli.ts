import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import { runInside, type Texts } from './run-inside.ts'
import { CLI } from './start-server.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that has not ended yet. */
export interface Begun {
  stdout(): string
  stderr(): string
  readonly ended: Promise<Outcome>
  /** The link that it shows. */
  link(): Promise<string>
}

export interface RunningCli extends Begun {
  readonly child: ChildProcess
}

/** A user of the command, with a home of their own. */
export interface CliUser extends AsyncDisposable {
  readonly home: string
  /** Where sessions are kept. */
  readonly folder: string
  /** A process, for what only a process can show: signals, what is printed where, who is quicker at a file. */
  start(...args: string[]): RunningCli
  /** The command itself in this process: a new one costs half a second, and there are hundreds. */
  begin(...args: string[]): Begun
  /** The same, until it has ended. */
  run(...args: string[]): Promise<Outcome>
}

const LINK = /https?:\/\/\S+\/approve\?token=[^\s"]+/

export async function createCliUser(environment: Record<string, string> = {}): Promise<CliUser> {
  const home = await mkdtemp(join(tmpdir(), 'patchbay-cli-home-'))
  const begin = (...args: string[]): Begun => {
    const texts = { stdout: '', stderr: '' }
    return watch(texts, runInside({ HOME: home, ...environment }, args, texts))
  }
  const start = (...args: string[]): RunningCli => {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [CLI, ...args], {
      env: withCompiledCode({ PATH, HOME: home, ...environment }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => {
        texts[name] += chunk.toString('utf8')
      })
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', (code) => resolve(code))
    })
    return { child, ...watch(texts, ended) }
  }
  return {
    home,
    folder: join(home, '.config', 'patchbay'),
    start,
    begin,
    run: async (...args) => await begin(...args).ended,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

function watch(texts: Texts, ended: Promise<number | null>): Begun {
  const found = () => LINK.exec(texts.stdout + texts.stderr)?.[0]
  return {
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    ended: ended.then((code) => ({ code, ...texts })),
    async link() {
      await waitUntil('the link is shown', () => found() !== undefined, { deadlineMs: 20_000, intervalMs: 5 })
      return found() ?? ''
    },
  }
}
