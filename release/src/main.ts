import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { writeBills } from './bills-of-materials.ts'
import {
  type BuiltImage,
  IMAGE_TARGETS,
  type ImageRecord,
  type ImageTarget,
  writeImageRecord,
} from './images.ts'
import { applyNextRelease, readNextRelease } from './next-release.ts'
import { packAll } from './packages.ts'
import { packPythonClient } from './python-client.ts'
import { ROOT } from './workspace.ts'

const USAGE = `Nothing is published from here.
  pnpm release --dry-run [--out folder]   what would be published: packages, the Python client, images, bills of materials, checksums, notes
      --image server=sha256:…             an image that was built and pushed: writes its provenance; for each image
      --builder URI                       who built it
  pnpm release version                    take the pending changesets: versions, changelog, schema`

const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    out: { type: 'string' },
    image: { type: 'string', multiple: true },
    builder: { type: 'string' },
  },
  allowPositionals: true,
})
const run = promisify(execFile)

const isTarget = (image: string) => IMAGE_TARGETS.some((target) => image.startsWith(`${target}=`))
if (values.image?.every(isTarget) === false) fail(USAGE)
else if (values['dry-run'] === true) await showRelease(resolve(values.out ?? join(ROOT, '.patchbay/release')))
else if (positionals.join(' ') === 'version') await writeVersion()
else fail(USAGE)

async function showRelease(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const packed = await packAll(out)
  const wheel = await packPythonClient(out, process.env['PYTHON'])
  const bills = await writeBills(
    packed.map(({ name }) => name),
    out,
  )
  const images: ImageRecord[] = []
  for (const target of IMAGE_TARGETS)
    images.push(await writeImageRecord(target, out, await findBuilt(target)))
  const files = [...packed, wheel, ...bills, ...images.flatMap((image) => image.files)]
  const sums = files.map(({ file, sha256 }) => `${sha256}  ${basename(file)}`)
  await writeFile(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  for (const { file, bytes } of files)
    console.log(basename(file).padEnd(44), `${(bytes / 1000).toFixed(0)} kB`.padStart(9))
  console.log('')
  for (const { name, tag, digest } of images)
    console.log(`${name}:${tag}`.padEnd(44), digest ?? 'not built: give its digest with --image')
  console.log(
    `\n${packed.length} packages, ${images.length} images, a bill of materials for each, the Python client, and SHA256SUMS in ${out}`,
  )
  const next = await readNextRelease(ROOT)
  console.log(
    next === undefined
      ? '\nNo changeset is pending: these versions are the released ones.'
      : `\nPending, as ${next.version}:\n\n${next.notes}`,
  )
}

/** The image of a target, as the command line tells of it: built from what is checked out here. */
async function findBuilt(target: ImageTarget): Promise<BuiltImage | undefined> {
  const { builder, image = [] } = values
  const digest = image.find((each) => each.startsWith(`${target}=`))?.slice(target.length + 1)
  if (digest === undefined) return undefined
  const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim()
  return {
    digest,
    commit: await git('rev-parse', 'HEAD'),
    isChanged: (await git('status', '--porcelain')) !== '',
    ...(builder === undefined ? {} : { builder }),
  }
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
