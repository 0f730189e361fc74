import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Target } from '@patchbay/package-format'
import { type ManagerOptions, openManager, type PackageManager } from '../../src/install/manager.ts'
import { Shop } from './shop.ts'

export const TARGET: Target = { toolVersion: '9.0', platform: 'linux' }
export const BLINKY = 'com.example.blinky'
export const PLUGIN = 'plugins/com_example_blinky'

/** In memory where there is such a place: a flush of the disk takes longer than all the rest of an operation. */
export const FAST_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export interface Installation extends AsyncDisposable {
  readonly root: string
  readonly state: string
  readonly shop: Shop
  readonly notices: string[]
  open(options?: Partial<ManagerOptions>): Promise<PackageManager>
  /** What the tool sees: every file below the root with its text. */
  tree(): Promise<Record<string, string>>
  write(path: string, text: string): Promise<void>
}

export async function startInstallation(shop: Shop = new Shop()): Promise<Installation> {
  const root = await mkdtemp(join(FAST_FOLDER, 'patchbay-install-'))
  const state = join(root, '.patchbay')
  const notices: string[] = []
  return {
    root,
    state,
    shop,
    notices,
    open: (options = {}) =>
      openManager({
        root,
        stateFolder: state,
        target: TARGET,
        source: shop,
        onNotice: (message) => notices.push(message),
        ...options,
      }),
    tree: () => readTree(root),
    async write(path, text) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

/** The files below a folder with their texts, without those that the manager keeps for itself. */
export async function readTree(root: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const path of await listFiles(root, '')) {
    if (!path.startsWith('.patchbay')) tree[path] = await readFile(join(root, path), 'utf8')
  }
  return tree
}

/** Everything below a folder that is no folder, sorted. */
export async function listFiles(top: string, below: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(join(top, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await listFiles(top, path)))
    else found.push(path)
  }
  return found.toSorted()
}
