import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readNextRelease, withRelease } from './next-release.ts'
import { ROOT, readManifest } from './workspace.ts'

const run = promisify(execFile)
/** They name the version and are no package of the workspace. */
const ALSO_VERSIONED = ['package.json', 'deploy/Dockerfile', 'deploy/kubernetes/kustomization.yaml']

/** Writes the next version everywhere, and its notes into the changelog. Nothing is committed. */
export async function applyNextRelease(root: string, today: string): Promise<string | undefined> {
  const next = await readNextRelease(root)
  if (next === undefined) return undefined
  const { version: old } = readManifest(join(root, 'apps/cli/package.json'))
  await rewrite(join(root, 'CHANGELOG.md'), (text) => withRelease(text, next, today))
  for (const path of ALSO_VERSIONED)
    await rewrite(join(root, path), (text) => text.replaceAll(old, next.version))
  await run(join(ROOT, 'node_modules/.bin/changeset'), ['version'], { cwd: root })
  return next.version
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}
