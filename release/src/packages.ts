import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { describeProcess } from './process-package.ts'
import { ROOT, readWorkspace, type WorkspacePackage } from './workspace.ts'

export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** Absolute. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Processes, which run on servers and are no libraries. Those with pages get the built web app. */
const PROCESSES: Readonly<Record<string, { readonly hasPages: boolean }>> = {
  '@patchbay/server': { hasPages: true },
  '@patchbay/gateway-app': { hasPages: false },
  '@patchbay/watchdog-app': { hasPages: false },
  '@patchbay/viewer-app': { hasPages: true },
}
const WEB_APP = 'apps/web/dist/client'

const run = promisify(execFile)

/** Packs everything that is published, from what `pnpm build` has made. */
export async function packAll(out: string): Promise<PackedPackage[]> {
  await mkdir(out, { recursive: true })
  const workspace = readWorkspace()
  const packed: PackedPackage[] = []
  for (const each of workspace.values())
    if (each.manifest.private !== true) packed.push(await packLibrary(each, out))
  for (const name of Object.keys(PROCESSES)) packed.push(await packProcess(name, out))
  return packed
}

async function packLibrary({ folder, manifest }: WorkspacePackage, out: string): Promise<PackedPackage> {
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', out], { cwd: folder })
  const { filename } = JSON.parse(stdout) as { readonly filename: string }
  return await measure(manifest, join(out, basename(filename)))
}

export async function packProcess(name: string, out: string): Promise<PackedPackage> {
  const workspace = readWorkspace()
  const from = workspace.get(name)
  if (from === undefined) throw new Error(`there is no ${name}`)
  const stage = await mkdtemp(join(tmpdir(), 'patchbay-release-'))
  try {
    const { manifest, inside } = describeProcess(from, workspace)
    await copyPackage(from.folder, stage, manifest)
    for (const each of inside)
      await copyPackage(each.from.folder, join(stage, 'node_modules', each.from.manifest.name), each.manifest)
    if (PROCESSES[name]?.hasPages === true)
      await cp(join(ROOT, WEB_APP), join(stage, 'web'), { recursive: true })
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', out], { cwd: stage })
    const [{ filename } = { filename: '' }] = JSON.parse(stdout) as { readonly filename: string }[]
    return await measure(from.manifest, join(out, filename))
  } finally {
    await rm(stage, { recursive: true })
  }
}

/** What runs: the built code, and what it reads from beside it. */
async function copyPackage(from: string, to: string, manifest: object): Promise<void> {
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const isRun = (path: string) => !/\.(d\.ts|tsbuildinfo|map)$/.test(path)
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: isRun })
  for (const beside of ['migrations', 'README.md'])
    await cp(join(from, beside), join(to, beside), { recursive: true }).catch(unlessMissing)
  await cp(join(ROOT, 'LICENSE'), join(to, 'LICENSE'))
}

function unlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

async function measure(
  { name, version }: WorkspacePackage['manifest'],
  file: string,
): Promise<PackedPackage> {
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  return { name, version, file, bytes: (await stat(file)).size, sha256 }
}
