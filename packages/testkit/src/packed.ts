import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { waitUntil } from './processes.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const OURS = '@patchbay/'
/** Building everything anew takes a minute on a machine that does other things as well. */
const PATIENCE_MS = 180_000

/** What is of interest in the `package.json` that a registry would serve. */
export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
}

let ownFolder: Promise<string> | undefined

/** Where all processes of a run look; outside of one, a folder of this process. */
async function runFolder(): Promise<string> {
  const folder = process.env['PATCHBAY_TEST_PACKED']
  if (folder === undefined) return await (ownFolder ??= mkdtemp(join(tmpdir(), 'patchbay-packed-')))
  await mkdir(folder, { recursive: true })
  return folder
}

/**
 * The unpacked archive of a package, as a registry would serve it. Whoever asks first in a run builds and
 * packs it; all others wait for that, of whatever process they are: two builds at once would write the same files.
 */
export async function packPackage(name: string): Promise<string> {
  const folder = await runFolder()
  const packed = join(folder, name)
  const lock = join(folder, 'lock')
  const isLocked = () => mkdir(lock).then(() => true, isTaken)
  await waitUntil('nobody else builds packages', isLocked, { deadlineMs: PATIENCE_MS })
  try {
    const isPacked = await stat(packed).then(
      () => true,
      () => false,
    )
    if (!isPacked) await buildAndPack(name, packed)
  } finally {
    await rm(lock, { recursive: true })
  }
  return packed
}

function isTaken(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
  throw error
}

/** Where its sources are: most are libraries, the command is an application. */
function homeOf(name: string): string {
  return join(ROOT, name === 'cli' ? 'apps' : 'packages', name)
}

async function buildAndPack(name: string, packed: string): Promise<void> {
  const home = homeOf(name)
  const work = `${packed}.new`
  await rm(work, { recursive: true, force: true })
  await mkdir(work)
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-b', home])
  await run('pnpm', ['pack', '--pack-destination', work], { cwd: home })
  // The name has the version in it, which is nobody's business here.
  const [archive, ...others] = (await readdir(work)).filter((file) => file.endsWith('.tgz'))
  if (archive === undefined || others.length > 0) throw new Error(`${name} was not packed into one archive`)
  await run('tar', ['xzf', join(work, archive), '-C', work])
  await rename(join(work, 'package'), packed)
  await rm(work, { recursive: true })
}

/**
 * Makes `folder` a project that has installed a package of ours as it would come from a registry. Packages of this
 * checkout that it depends on are packed as well, the others are linked from where they are installed here.
 */
export async function installPacked(name: string, folder: string): Promise<PackedManifest> {
  const packed = await packPackage(name)
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as PackedManifest
  await cp(packed, join(folder, 'node_modules', manifest.name), { recursive: true })
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    const place = join(folder, 'node_modules', dependency)
    if (dependency.startsWith(OURS)) await installPacked(dependency.slice(OURS.length), folder)
    else await linkOnce(join(homeOf(name), 'node_modules', dependency), place)
  }
  return manifest
}

/** Two packages may depend on the same one. */
async function linkOnce(installed: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true })
  await symlink(await realpath(installed), place).catch(isTaken)
}
