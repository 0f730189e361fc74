import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type BuiltImage, type ImageTarget, writeImageRecord } from '../src/images.ts'
import { ROOT } from '../src/workspace.ts'

const DIGEST = `sha256:${'0f'.repeat(32)}`
const COMMIT = '1'.repeat(40)

/** What is written beside an image. */
async function record(target: ImageTarget, built?: BuiltImage) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-image-record-'))
  try {
    const { files, ...image } = await writeImageRecord(target, folder, built)
    const [bill, provenance] = await Promise.all(
      files.map(async ({ file }) => JSON.parse(await readFile(file, 'utf8'))),
    )
    return { image, bill, provenance }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const purlsOf = (components: readonly { readonly purl: string }[]) => components.map(({ purl }) => purl)

test.for(['server', 'gateway'] as const)(
  '[RL-10] the bill of the %s names its packages and what it stands on',
  async (target) => {
    const { image, bill, provenance } = await record(target)
    expect(image).toMatchObject({ name: `patchbay-${target}`, digest: undefined })
    expect(provenance).toBeUndefined()
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'container' } } })
    const purls = purlsOf(bill.components)
    expect(purls[0]).toMatch(
      /^pkg:oci\/nodejs24-debian13@sha256%3A[0-9a-f]{64}\?repository_url=gcr\.io%2Fdistroless%2Fnodejs24-debian13&tag=nonroot$/,
    )
    expect(purls.some((purl) => purl.startsWith('pkg:npm/fastify@'))).toBe(true)
    expect(purls.filter((purl) => /^pkg:npm\/(?:vitest|typescript|vite)@/.test(purl))).toEqual([])
    expect(purls.some((purl) => purl.startsWith('pkg:npm/openid-client@'))).toBe(target === 'server')
    // The libraries of the pages are inside them, and nowhere else.
    expect(purls.filter((purl) => purl.startsWith('pkg:npm/react@'))).toEqual([])
    const pages = bill.components.find(({ name }: { name: string }) => name === 'web')
    expect(purlsOf(pages?.components ?? []).some((purl) => purl.startsWith('pkg:npm/react@'))).toBe(
      target === 'server',
    )
    const refs = bill.components.map((each: Record<string, unknown>) => each['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    const known = new Set([...refs, bill.metadata.component['bom-ref']])
    for (const { ref, dependsOn } of bill.dependencies)
      expect([ref, ...dependsOn].filter((each) => !known.has(each))).toEqual([])
  },
)

test.for(['server', 'gateway'] as const)(
  '[DP-362] the bill of the %s has what can be reached from it among what is installed here',
  async (target) => {
    const { bill } = await record(target)
    const found = new Map<string, string>()
    for (const root of [`apps/${target}`, 'apps/cli', 'packages/package-manager'])
      walk(join(ROOT, root), found)
    const installed = [...found].filter(([folder]) => folder.includes('/node_modules/'))
    expect(new Set(othersIn(bill))).toEqual(new Set(installed.map(([, name]) => name)))
  },
)

test.for(['server', 'gateway'] as const)(
  '[DP-362] the image of the %s installs what each package of ours in it needs',
  async (target) => {
    const found = new Map<string, string>()
    walk(join(ROOT, 'apps', target), found)
    walk(join(ROOT, 'apps/cli'), found)
    const ours = [...found.keys()].filter((folder) => !folder.includes('/node_modules/'))
    const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    const [, stage = ''] = new RegExp(`AS ${target}-tree\n([^]*?)\nFROM `).exec(dockerfile) ?? []
    const selected = new Map<string, string>()
    for (const [, name, others] of stage.matchAll(/--filter-prod "([^".]+)(\.\.\.)?"/g)) {
      const folder = ours.find((each) => found.get(each)?.startsWith(`${name}@`)) ?? ''
      if (others === undefined) selected.set(folder, name ?? '')
      else walk(folder, selected)
    }
    const needsOthers = (folder: string) => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return Object.keys(dependencies).some((name) => !name.startsWith('@patchbay/'))
    }
    expect(ours.filter((folder) => needsOthers(folder) && !selected.has(folder))).toEqual([])
  },
)

/** Every package that one in this folder can load, by folder: `name@version`. */
function walk(folder: string, found: Map<string, string>): void {
  if (found.has(folder)) return
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  found.set(folder, `${manifest.name}@${manifest.version}`)
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  // What the processes are to the command: there where somebody has installed them.
  const peers = folder.includes('/node_modules/') ? { ...peerDependencies, ...peerDependenciesMeta } : {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peers })) {
    let at = folder
    while (at !== dirname(at) && !existsSync(join(at, 'node_modules', name))) at = dirname(at)
    if (at !== dirname(at)) walk(realpathSync(join(at, 'node_modules', name)), found)
  }
}

/** `name@version` of what is installed in an image and is not ours. */
function othersIn(bill: { readonly components: readonly { readonly purl: string }[] }): string[] {
  return purlsOf(bill.components)
    .filter((purl) => /^pkg:npm\/(?!%40patchbay\/)/.test(purl))
    .map((purl) => decodeURIComponent(purl.slice('pkg:npm/'.length)))
}

test('[RL-12] the server stands on few packages of others', async () => {
  const { bill } = await record('server')
  const broker = new Map<string, string>()
  walk(realpathSync(join(ROOT, 'areas/devices/node_modules/aedes')), broker)
  const ofBroker = new Set(broker.values())
  expect(ofBroker.size).toBeLessThanOrEqual(30)
  expect(othersIn(bill).filter((name) => !ofBroker.has(name)).length).toBeLessThanOrEqual(169)
})

test('[RL-11] the provenance of an image names the image, the commit, the lockfile and both bases by hash', async () => {
  const { image, bill, provenance } = await record('gateway', { digest: DIGEST, commit: COMMIT })
  expect(image.digest).toBe(DIGEST)
  expect(bill.metadata.component.purl).toContain(encodeURIComponent(DIGEST))
  expect(provenance).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'patchbay-gateway', digest: { sha256: DIGEST.slice('sha256:'.length) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
  })
  const { buildDefinition, runDetails } = provenance.predicate
  expect(buildDefinition.externalParameters).toEqual({ dockerfile: 'deploy/Dockerfile', target: 'gateway' })
  const { stdout } = await promisify(execFile)('sha256sum', ['pnpm-lock.yaml'], { cwd: ROOT })
  const [commit, lockfile, ...bases] = buildDefinition.resolvedDependencies
  expect(commit).toEqual({ uri: expect.stringContaining('git'), digest: { gitCommit: COMMIT } })
  expect(lockfile.digest).toEqual({ sha256: stdout.slice(0, 64) })
  const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  expect(bases).toHaveLength(2)
  for (const { digest } of bases) expect(dockerfile).toContain(`@sha256:${digest.sha256}`)
  expect(runDetails.builder.id).toMatch(/^urn:/)
})

test('[RL-11] what was changed since the commit is told, and what is no digest is refused', async () => {
  const { provenance } = await record('gateway', { digest: DIGEST, commit: COMMIT, isChanged: true })
  expect(provenance.predicate.buildDefinition.resolvedDependencies[0].annotations).toEqual({
    uncommittedChanges: true,
  })
  await expect(record('gateway', { digest: 'latest', commit: COMMIT })).rejects.toThrow('not the digest')
})
