import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeep } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { runInside } from '../../client/run-inside.ts'

const CLI = fileURLToPath(new URL('../../../../apps/cli/test/command.ts', import.meta.url))
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

/**
 * The `patchbay` command on a machine of its own: another home, another user's credentials. In the common run it runs in
 * this process: a new one costs half a second.
 */
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
  const started: Running[] = []
  const owned = cleanup.move()
  const start = (args: readonly string[], more: Record<string, string> = {}) => {
    const environment = {
      HOME: home,
      TMPDIR: folder,
      PATCHBAY_SERVER_URL: serverUrl,
      PATCHBAY_BROWSER: browser,
      ...more,
    }
    const running = isDeep ? startOutside(home, environment, args, owned) : startInside(environment, args)
    started.push(running)
    return running
  }
  return {
    home,
    async run(args, environment) {
      const before = process.cwd()
      // Paths that somebody types begin where they are.
      process.chdir(home)
      try {
        return await start(args, environment).ended
      } finally {
        process.chdir(before)
      }
    },
    async login(...args) {
      const running = start(['login', ...args])
      const { ended } = running
      await waitUntil('the login shows its link', () => running.output().includes('works once'), {
        deadlineMs: DEADLINE_MS,
      }).catch((cause: unknown) => {
        throw new Error(`the login did not begin, ${String(cause)}:\n${running.output()}`, { cause })
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

interface Running {
  output(): string
  readonly ended: Promise<Ended>
}

function startInside(environment: Record<string, string>, args: readonly string[]): Running {
  const texts = { stdout: '', stderr: '' }
  const output = () => texts.stdout + texts.stderr
  const ended = runInside(environment, args, texts).then((exitCode) => ({ exitCode, output: output() }))
  return { output, ended }
}

function startOutside(
  folder: string,
  environment: Record<string, string>,
  args: readonly string[],
  owned: AsyncDisposableStack,
): Running {
  const { PATH = '' } = process.env
  const running = owned.use(
    startProcess(process.execPath, [CLI, ...args], { env: { PATH, ...environment }, cwd: folder }),
  )
  const { child } = running
  const output = () => running.output()
  const end = async () => {
    // Closed, not only ended: what it printed last has arrived by then.
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) })
    }
    return { exitCode: child.exitCode, output: output() }
  }
  return { output, ended: end() }
}

async function opened(browser: string): Promise<string> {
  const file = `${browser}.opened`
  const read = () => readFile(file, 'utf8').catch(() => '')
  await waitUntil('the browser was asked to open the link', async () => (await read()) !== '')
  return await read()
}
