import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getReleasePlan } from '@changesets/get-release-plan'
import { ROOT, readManifest } from './workspace.ts'

type Weight = 'major' | 'minor' | 'patch'

export interface NextRelease {
  readonly version: string
  /** What changes, as Markdown. */
  readonly notes: string
}

const TITLES: Readonly<Record<Weight, string>> = { major: 'Breaking', minor: 'Added', patch: 'Fixed' }

/** What the pending changesets make of the versions, or `undefined` where there are none. All packages have one version. */
export async function readNextRelease(root: string): Promise<NextRelease | undefined> {
  const { changesets, releases } = await getReleasePlan(root)
  const [release] = releases.filter(({ type }) => type !== 'none')
  if (release?.newVersion === undefined) return undefined
  const weighed = changesets.map(({ summary, releases: of }) => ({
    summary,
    weight: (Object.keys(TITLES) as Weight[]).find((weight) => of.some(({ type }) => type === weight)),
  }))
  const parts = Object.entries(TITLES).flatMap(([weight, title]) => {
    const items = weighed.filter((each) => each.weight === weight).map(({ summary }) => asItem(summary))
    return items.length === 0 ? [] : [`### ${title}\n${items.join('\n')}`]
  })
  return { version: release.newVersion, notes: parts.join('\n\n') }
}

function asItem(summary: string): string {
  return `- ${summary.trim().replaceAll('\n', '\n  ')}`
}

const UNRELEASED = '## Unreleased\n'

/** The changelog with the notes of a release above what was unreleased until now. */
export function withRelease(changelog: string, { version, notes }: NextRelease, date: string): string {
  if (!changelog.includes(UNRELEASED)) throw new Error('the changelog has no part "Unreleased"')
  return changelog.replace(UNRELEASED, () => `${UNRELEASED}\n## ${version}, ${date}\n\n${notes}\n`)
}

const run = promisify(execFile)
/** They name the version and are no package of the workspace. */
export const ALSO_VERSIONED = [
  'package.json',
  'deploy/Dockerfile',
  'deploy/kubernetes/kustomization.yaml',
  'clients/python/pyproject.toml',
  'clients/python/patchbay/_version.py',
]

const SCHEMAS = 'docs/reference/schema'

/** Writes the next version everywhere, its notes into the changelog, and keeps its schema. Nothing is committed. */
export async function applyNextRelease(root: string, today: string): Promise<string | undefined> {
  const next = await readNextRelease(root)
  if (next === undefined) return undefined
  const { version: old } = readManifest(join(root, 'apps/cli/package.json'))
  await rewrite(join(root, 'CHANGELOG.md'), (text) => withRelease(text, next, today))
  for (const path of ALSO_VERSIONED)
    await rewrite(join(root, path), (text) => text.replaceAll(old, next.version))
  await copyFile(join(root, SCHEMAS, 'unreleased.txt'), join(root, SCHEMAS, `${next.version}.txt`))
  await run(join(ROOT, 'node_modules/.bin/changeset'), ['version'], { cwd: root })
  return next.version
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}
