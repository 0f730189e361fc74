import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages.ts'
import { ROOT } from './workspace.ts'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' } },
})
if (values['dry-run'] !== true) {
  console.error('Nothing is published from here. See what would be: pnpm release --dry-run [--out folder]')
  process.exit(2)
}

const out = resolve(values.out ?? join(ROOT, '.patchbay/release'))
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
const packed = await packAll(out)
const sums = packed.map(({ file, sha256 }) => `${sha256}  ${basename(file)}`)
await writeFile(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`)
for (const { name, version, bytes, file } of packed)
  console.log(`${name}@${version}`.padEnd(36), `${(bytes / 1000).toFixed(0)} kB`.padStart(9), basename(file))
console.log(`\n${packed.length} packages and SHA256SUMS in ${out}`)
