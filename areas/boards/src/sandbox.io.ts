import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOME_FOLDER, OUTPUT_FOLDER, PROJECT_FOLDER } from './sandbox.ts'

export interface SandboxLimits {
  /** Of one process. */
  readonly memoryBytes: number
  readonly seconds: number
  /** Of all that it leaves. */
  readonly outputBytes: number
  readonly outputFiles: number
}

export interface ReadOnly {
  readonly from: string
  /** Below the home folder inside. */
  readonly to: string
}

export interface SandboxedRun {
  /** Seen as `/work/project`. It can be written to: where KiCad cannot, it does not read the tables of libraries either. */
  readonly project: string
  /** Seen as `/work/out`. */
  readonly output: string
  readonly readOnly?: readonly ReadOnly[]
  readonly command: readonly string[]
  readonly limits: SandboxLimits
  readonly signal: AbortSignal
  /** What it says, as it says it. */
  readonly hear?: (text: string) => void
}

export type SandboxOutcome =
  /** `code` above 128: a signal ended it. */
  | { readonly kind: 'exited'; readonly code: number; readonly text: string }
  | { readonly kind: 'too_slow' | 'too_large' }
  | { readonly kind: 'aborted' }

/** Of what it says, the beginning: more is read and thrown away, so that nothing waits for a full pipe. */
const KEPT_TEXT = 64 * 1024
const MEASURE_MS = 250
/** That KiCad leaves besides. */
const TEMPORARY_FILES = 100
const MIB = 1024 ** 2
/** KiCad writes its settings and caches there. */
const HOME_BYTES = 64 * MIB
const TEMPORARY_BYTES = 512 * MIB
/** The engine uses a thread for each core. */
const PROCESSES = 256

const words = (text: string): readonly string[] => text.split(' ')

/** What is the same for every job. */
const SANDBOX: readonly string[] = [
  ...words('--unshare-all --die-with-parent --new-session --clearenv --cap-drop ALL'),
  ...words('--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64'),
  ...words('--ro-bind-try /etc/fonts /etc/fonts --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache'),
  // Without it KiCad reads every font of the system first: a third of the time of a check.
  ...words('--ro-bind-try /var/cache/fontconfig /var/cache/fontconfig'),
  ...words('--ro-bind-try /etc/alternatives /etc/alternatives --proc /proc --dev /dev'),
  ...words(`--size ${TEMPORARY_BYTES} --tmpfs /tmp --size ${HOME_BYTES} --tmpfs ${HOME_FOLDER}`),
  ...words(`--setenv HOME ${HOME_FOLDER} --setenv PATH /usr/bin --setenv TZ UTC`),
  ...words('--setenv LANG C.UTF-8 --setenv LC_ALL C.UTF-8'),
]

/**
 * The system read-only, no network, no other process, no variable of ours, and of all files those of the job. When the worker
 * dies, the kernel ends everything inside.
 */
function wrapped({ project, output, readOnly = [], command, limits }: SandboxedRun): string[] {
  return [
    'prlimit',
    `--as=${limits.memoryBytes}`,
    `--cpu=${limits.seconds * 4}`,
    `--fsize=${limits.outputBytes}`,
    '--nofile=1024',
    '--core=0',
    'bwrap',
    ...SANDBOX,
    '--bind',
    project,
    PROJECT_FOLDER,
    '--bind',
    output,
    OUTPUT_FOLDER,
    ...readOnly.flatMap(({ from, to }) => ['--ro-bind', from, `${HOME_FOLDER}/${to}`]),
    '--chdir',
    PROJECT_FOLDER,
    '--',
    'prlimit',
    // Counted inside, where no other process of the same account is.
    `--nproc=${PROCESSES}`,
    ...command,
  ]
}

export async function runSandboxed(run: SandboxedRun): Promise<SandboxOutcome> {
  const { limits, signal, project, output } = run
  if (signal.aborted) return { kind: 'aborted' }
  const [program = '', ...args] = wrapped(run)
  // A group of its own: a signal for the worker's group (Ctrl-C) must not end what it is about to finish.
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      run.hear?.(chunk)
      if (text.length < KEPT_TEXT) text += chunk.slice(0, KEPT_TEXT - text.length)
    })
  let ended: 'too_slow' | 'too_large' | 'aborted' | undefined
  const end = (why: NonNullable<typeof ended>) => {
    ended ??= why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => end('too_slow'), limits.seconds * 1_000)
  const abort = () => end('aborted')
  signal.addEventListener('abort', abort, { once: true })
  const done = new AbortController()
  const measuring = measure([project, output], limits, done.signal, () => end('too_large'))
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    if (ended !== undefined) return { kind: ended }
    return { kind: 'exited', code: code ?? (killedBy === null ? 1 : 137), text }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    done.abort()
    await measuring
  }
}

/** One file cannot be larger than the limit; many can, so they are counted while they grow. */
async function measure(
  folders: readonly string[],
  limits: SandboxLimits,
  done: AbortSignal,
  exceed: () => void,
): Promise<void> {
  const before = await sizeOf(folders, Number.POSITIVE_INFINITY)
  const most = before.files + limits.outputFiles + TEMPORARY_FILES
  while (!done.aborted) {
    await sleep(MEASURE_MS, undefined, { signal: done }).catch(() => undefined)
    const { files, bytes } = await sizeOf(folders, most)
    if (files > most || bytes > before.bytes + limits.outputBytes) return exceed()
  }
}

/** Of everything below; gives up when there are more than so many. */
async function sizeOf(
  roots: readonly string[],
  most: number,
): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0
  let bytes = 0
  const folders = [...roots]
  for (let at = folders.pop(); at !== undefined && files <= most; at = folders.pop())
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      files += 1
      if (files > most) break
      const path = join(at, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0
    }
  return { files, bytes }
}
