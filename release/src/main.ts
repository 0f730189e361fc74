import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBills } from './bills-of-materials.ts'
import { applyNextRelease, readNextRelease } from './next-release.ts'
import { packAll } from './packages.ts'
import { ROOT } from './workspace.ts'

const USAGE = `Nothing is published from here.
  pnpm release --dry-run [--out folder]   what would be published: packages, bills of materials, checksums, notes
  pnpm release version                    take the pending changesets: versions, changelog, schema`

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' } },
  allowPositionals: true,
})
if (values['dry-run'] === true) await showRelease(resolve(values.out ?? join(ROOT, '.patchbay/release')))
else if (positionals.join(' ') === 'version') await writeVersion()
else fail(USAGE)

async function showRelease(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const packed = await packAll(out)
  const bills = await writeBills(
    packed.map(({ name }) => name),
    out,
  )
  const files = [...packed, ...bills]
  const sums = files.map(({ file, sha256 }) => `${sha256}  ${basename(file)}`)
  await writeFile(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  for (const { file, bytes } of files)
    console.log(basename(file).padEnd(44), `${(bytes / 1000).toFixed(0)} kB`.padStart(9))
  console.log(`\n${packed.length} packages, a bill of materials for each, and SHA256SUMS in ${out}`)
  const next = await readNextRelease(ROOT)
  console.log(
    next === undefined
      ? '\nNo changeset is pending: these versions are the released ones.'
      : `\nPending, as ${next.version}:\n\n${next.notes}`,
  )
}

async function writeVersion(): Promise<void> {
  const version = await applyNextRelease(ROOT, new Date().toISOString().slice(0, 10))
  if (version === undefined) fail('No changeset is pending. Write one with: pnpm changeset')
  else console.log(`Everything is ${version} now. Read the changelog, then commit.`)
}

function fail(text: string): void {
  console.error(text)
  process.exitCode = 2
}
