import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import { CLI } from './start-server.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCli {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  readonly ended: Promise<Outcome>
  /** The link that it shows. */
  link(): Promise<string>
}

/** A user of the command, with a home of their own. */
export interface CliUser extends AsyncDisposable {
  readonly home: string
  /** Where sessions are kept. */
  readonly folder: string
  start(...args: string[]): RunningCli
  run(...args: string[]): Promise<Outcome>
}

const LINK = /https?:\/\/\S+\/approve\?token=[^\s"]+/

export async function createCliUser(environment: Record<string, string> = {}): Promise<CliUser> {
  const home = await mkdtemp(join(tmpdir(), 'patchbay-cli-home-'))
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
    const ended = new Promise<Outcome>((resolve) => {
      child.once('close', (code) => resolve({ code, ...texts }))
    })
    const found = () => LINK.exec(texts.stdout + texts.stderr)?.[0]
    return {
      child,
      stdout: () => texts.stdout,
      stderr: () => texts.stderr,
      ended,
      async link() {
        await waitUntil('the link is shown', () => found() !== undefined, { deadlineMs: 20_000 })
        return found() ?? ''
      },
    }
  }
  return {
    home,
    folder: join(home, '.config', 'patchbay'),
    start,
    run: async (...args) => await start(...args).ended,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}
