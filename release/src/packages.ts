import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { describeProcess } from './process-package.ts'
import { ROOT, readWorkspace, type WorkspacePackage } from './workspace.ts'

/** A file of a release, as its checksum names it. */
export interface ReleaseFile {
  /** Absolute. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

export interface PackedPackage extends ReleaseFile {
  readonly name: string
}

/** What is run and is no library. */
const PROCESSES = ['server', 'gateway-app', 'watchdog-app', 'eda-worker', 'viewer-app', 'dev'].map(
  (name) => `@patchbay/${name}`,
)
/** Built pages that processes serve, also from inside another package. */
const PAGES: readonly { readonly of: readonly string[]; readonly from: string; readonly to: string }[] = [
  { of: ['@patchbay/server', '@patchbay/viewer-app'], from: 'apps/web/dist/client', to: 'web' },
  { of: ['@patchbay/server'], from: 'apps/docs/dist/site', to: 'docs' },
]

const run = promisify(execFile)

/** Packs everything that is published, from what `pnpm build` has made. */
export async function packAll(out: string): Promise<PackedPackage[]> {
  await mkdir(out, { recursive: true })
  const workspace = readWorkspace()
  const packed: PackedPackage[] = []
  for (const each of workspace.values())
    if (each.manifest.private !== true) packed.push(await packLibrary(each, out))
  for (const name of PROCESSES) packed.push(await packProcess(name, out))
  return packed
}

async function packLibrary({ folder, manifest }: WorkspacePackage, out: string): Promise<PackedPackage> {
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', out], { cwd: folder })
  const { filename } = JSON.parse(stdout) as { readonly filename: string }
  return { name: manifest.name, ...(await measure(join(out, basename(filename)))) }
}

export async function packProcess(name: string, out: string): Promise<PackedPackage> {
  const workspace = readWorkspace()
  const from = workspace.get(name)
  if (from === undefined) throw new Error(`there is no ${name}`)
  const stage = await mkdtemp(join(tmpdir(), 'patchbay-release-'))
  try {
    const { manifest, inside } = describeProcess(from, workspace)
    await copyPackage(from, stage, manifest)
    for (const each of inside)
      await copyPackage(each.from, join(stage, 'node_modules', each.from.manifest.name), each.manifest)
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', out], { cwd: stage })
    const [{ filename } = { filename: '' }] = JSON.parse(stdout) as { readonly filename: string }[]
    return { name, ...(await measure(join(out, filename))) }
  } finally {
    await rm(stage, { recursive: true })
  }
}

/** What runs: the built code, and what it reads from beside it. */
async function copyPackage(from: WorkspacePackage, to: string, manifest: object): Promise<void> {
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const isRun = (path: string) => !/\.(d\.ts|tsbuildinfo|map)$/.test(path)
  await cp(join(from.folder, 'dist'), join(to, 'dist'), { recursive: true, filter: isRun })
  for (const beside of ['migrations', 'README.md'])
    await cp(join(from.folder, beside), join(to, beside), { recursive: true }).catch(unlessMissing)
  await cp(join(ROOT, 'LICENSE'), join(to, 'LICENSE'))
  for (const pages of PAGES)
    if (pages.of.includes(from.manifest.name))
      await cp(join(ROOT, pages.from), join(to, pages.to), { recursive: true })
}

function unlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

export async function measure(file: string): Promise<ReleaseFile> {
  const content = await readFile(file)
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
