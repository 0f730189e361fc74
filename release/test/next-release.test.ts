import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ALSO_VERSIONED, applyNextRelease, readNextRelease, withRelease } from '../src/next-release.ts'
import { ROOT, readManifest, readWorkspace } from '../src/workspace.ts'

const OTHERS = [
  ...ALSO_VERSIONED,
  'pnpm-workspace.yaml',
  'pnpm-lock.yaml',
  'CHANGELOG.md',
  '.changeset/config.json',
  'docs/reference/schema/unreleased.txt',
]

/** The manifests of this checkout, with the given changesets and no others. */
async function copyCheckout(changesets: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-version-'))
  const manifests = [...readWorkspace().values()].map(({ folder }) =>
    join(relative(ROOT, folder), 'package.json'),
  )
  for (const file of [...OTHERS, ...manifests]) {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await cp(join(ROOT, file), join(path, file))
  }
  for (const [name, text] of Object.entries(changesets)) await writeFile(join(path, '.changeset', name), text)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const ADDED = '---\n"@patchbay/cli": minor\n---\n\nCharts in the terminal.\n'
const FIXED = '---\n"@patchbay/client": patch\n---\n\nA login that was declined says so.\nAt once.\n'

test('[RL-5][RL-6] changesets become one version everywhere, and their words a part of the changelog; its schema is kept', async () => {
  await using checkout = await copyCheckout({ 'one.md': ADDED, 'two.md': FIXED })
  const next = await readNextRelease(checkout.path)
  expect(next?.notes).toBe(
    '### Added\n- Charts in the terminal.\n\n### Fixed\n- A login that was declined says so.\n  At once.',
  )
  const version = await applyNextRelease(checkout.path, '2027-01-31')
  expect(version).toBe(next?.version)
  const versions = [...readWorkspace().values()].map(
    ({ folder }) => readManifest(join(checkout.path, relative(ROOT, folder), 'package.json')).version,
  )
  expect(new Set(versions)).toEqual(new Set([version]))
  for (const file of ALSO_VERSIONED)
    expect(await readFile(join(checkout.path, file), 'utf8')).toContain(version)
  expect(await readFile(join(checkout.path, 'CHANGELOG.md'), 'utf8')).toContain(
    `## Unreleased\n\n## ${version}, 2027-01-31\n\n### Added\n- Charts in the terminal.\n`,
  )
  expect(await readdir(join(checkout.path, '.changeset'))).toEqual(['config.json'])
  const schemaOf = (release: string | undefined) =>
    readFile(join(checkout.path, `docs/reference/schema/${release}.txt`), 'utf8')
  expect(await schemaOf(version)).toBe(await schemaOf('unreleased'))
}, 60_000)

test('[RL-5] without a changeset nothing changes', async () => {
  await using checkout = await copyCheckout({})
  expect(await applyNextRelease(checkout.path, '2027-01-31')).toBeUndefined()
})

test('[RL-5] a changelog without a place for it is refused', () => {
  expect(() => withRelease('# Changelog\n', { version: '1.0.0', notes: '' }, '2027-01-31')).toThrow(
    'Unreleased',
  )
})
