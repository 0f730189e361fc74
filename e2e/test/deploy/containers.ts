import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './files.ts'

/** What was printed by a command that ended with 0. */
type Command = (...args: string[]) => Promise<string>

/** buildah and podman with images, networks and settings of their own. Each command is printed with what it took. */
export interface Containers extends AsyncDisposable {
  /** For files that commands read. */
  readonly folder: string
  /** Where both find all of it; for programs that start them. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly run: (program: string, args: readonly string[], options?: RunOptions) => Promise<string>
  readonly build: Command
  readonly podman: Command
  /** Whether it ended with 0. Not printed: it is asked again and again. */
  succeeds(...args: string[]): Promise<boolean>
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

const DEADLINE_MS = 20 * 60_000

/** A container may not have higher limits than who starts it, and cgroups are made by hand where systemd does not run. */
const settingsOf = (folder: string) => `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`
const storageOf = (folder: string) => `[storage]
driver = "overlay"
graphroot = "${folder}/store"
runroot = "${folder}/run"
`

export async function openContainers(): Promise<Containers> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-images-'))
  await mkdir(join(folder, 'networks'))
  const files = {
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
  }
  await writeFile(files.CONTAINERS_CONF, settingsOf(folder))
  await writeFile(files.CONTAINERS_STORAGE_CONF, storageOf(folder))
  const env = { ...process.env, ...files }

  const execute = (program: string, args: readonly string[], options: RunOptions = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        program,
        args,
        {
          cwd: options.cwd ?? ROOT,
          env: { ...env, ...options.env },
          timeout: DEADLINE_MS,
          maxBuffer: 64 * 1_048_576,
        },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : (child.exitCode ?? -1), stdout, stderr }),
      )
    })
  const run: Containers['run'] = async (program, args, options) => {
    const begun = performance.now()
    const { code, stdout, stderr } = await execute(program, args, options)
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
    const words = args.map((word) => word.replaceAll(folder, '$SCRATCH').split('\n')[0])
    process.stdout.write(`$ ${program} ${words.join(' ')}   # ended with ${code} after ${seconds} s\n`)
    if (code !== 0)
      throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${(stdout + stderr).slice(-4_000)}`)
    return stdout
  }
  return {
    folder,
    env,
    run,
    build: (...args) =>
      run('buildah', [
        'bud',
        '--isolation=chroot',
        '--format',
        'docker',
        '--pull-never',
        '--layers',
        ...args,
      ]),
    podman: (...args) => run('podman', args),
    succeeds: async (...args) => (await execute('podman', args)).code === 0,
    async [Symbol.asyncDispose]() {
      for (const args of [
        ['pod', 'rm', '--all', '--force'],
        ['rm', '--all', '--force'],
        ['network', 'prune', '--force'],
        ['rmi', '--all', '--force'],
      ])
        await execute('podman', args)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
