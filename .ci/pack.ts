import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Packs every package that is published, after `pnpm build`:
 *   node .ci/pack.ts https://host/owner/name folder
 * The manifests name no repository, because the sources can be published from any. The one place where it is known is
 * here: it stands in each manifest while that package is packed.
 */
const [address, folder] = process.argv.slice(2)
if (address === undefined || folder === undefined || !URL.canParse(address)) {
  throw new Error('usage: node .ci/pack.ts <address of the repository> <folder for the archives>')
}
const destination = resolve(folder)
mkdirSync(destination, { recursive: true })

for (const path of globSync('packages/*/package.json', { cwd: ROOT }).toSorted()) {
  const file = join(ROOT, path)
  const text = readFileSync(file, 'utf8')
  const manifest = JSON.parse(text) as { readonly private?: boolean }
  if (manifest.private === true) continue
  const repository = { type: 'git', url: `git+${address}.git`, directory: dirname(path) }
  try {
    writeFileSync(file, `${JSON.stringify({ ...manifest, repository }, undefined, 2)}\n`)
    pack(dirname(file))
  } finally {
    writeFileSync(file, text)
  }
}

function pack(cwd: string): void {
  const { status } = spawnSync('pnpm', ['pack', '--pack-destination', destination], { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${cwd} was not packed`)
}
