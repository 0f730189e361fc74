import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'

const CLI = fileURLToPath(new URL('../../../../apps/cli/src/main.ts', import.meta.url))
const DEADLINE_MS = 60_000

/** Leaves the link where the test finds it, as a browser that was asked to open it would have it. */
const BROWSER_PROGRAM = `#!/bin/sh
printf '%s' "$1" > "$0.opened"
`

interface Ended {
  readonly exitCode: number | null
  readonly output: string
}

/** A login that waits for its person. */
interface WaitingLogin {
  readonly link: string
  readonly words: string
  /** What the browser of this machine was asked to open. */
  readonly openedLink: () => Promise<string>
  readonly ended: Promise<Ended>
}

/** The `patchbay` command on a machine of its own: another home, another user's credentials. */
export interface Terminal extends AsyncDisposable {
  readonly home: string
  run(args: readonly string[], environment?: Record<string, string>): Promise<Ended>
  login(...args: readonly string[]): Promise<WaitingLogin>
  /** Everything that was printed so far. */
  output(): string
}

export async function openTerminal(serverUrl: string): Promise<Terminal> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-terminal-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  await mkdir(home)
  const browser = join(folder, 'browser')
  await writeFile(browser, BROWSER_PROGRAM)
  await chmod(browser, 0o700)
  const started: RunningProcess[] = []
  const owned = cleanup.move()
  const start = (args: readonly string[], environment: Record<string, string> = {}) => {
    const { PATH = '' } = process.env
    const running = startProcess(process.execPath, [CLI, ...args], {
      env: {
        PATH,
        HOME: home,
        TMPDIR: folder,
        PATCHBAY_SERVER_URL: serverUrl,
        PATCHBAY_BROWSER: browser,
        ...environment,
      },
      cwd: home,
    })
    started.push(running)
    return owned.use(running)
  }
  return {
    home,
    run: (args, environment) => endOf(start(args, environment)),
    async login(...args) {
      const running = start(['login', ...args])
      const ended = endOf(running)
      await waitUntil('the login shows its link', () => running.output().includes('works once'), {
        deadlineMs: DEADLINE_MS,
      }).catch((cause: unknown) => {
        throw new Error(`the login did not begin:\n${running.output()}`, { cause })
      })
      const output = running.output()
      const link = /^ {2}(http\S+)$/m.exec(output)?.[1] ?? ''
      const words = />>> {2}(.+) {2}<<</.exec(output)?.[1] ?? ''
      return { link, words, ended, openedLink: () => opened(browser) }
    },
    output: () => started.map((running) => running.output()).join('\n'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function endOf(running: RunningProcess): Promise<Ended> {
  const { child } = running
  // Closed, not only ended: what it printed last has arrived by then.
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) })
  }
  return { exitCode: child.exitCode, output: running.output() }
}

async function opened(browser: string): Promise<string> {
  const file = `${browser}.opened`
  const read = () => readFile(file, 'utf8').catch(() => '')
  await waitUntil('the browser was asked to open the link', async () => (await read()) !== '')
  return await read()
}
