import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectWorkspace } from '@patchbay/client/workspaces'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { joinInstallation } from '../workspace-cli/installation.ts'

/** Of both sides together, in one round. */
const CHANGES = 5
const ROUNDS = depth({ common: 4, deep: 200 })
const PATHS = Array.from(
  { length: 12 },
  (_, index) => `${['', 'src/', 'doc/deep/'][index % 3]}file-${index}.txt`,
)

/** Numbers from 0 to below 1, always the same for a seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function textsIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.patchbay'))
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
  )
  return new Map(texts)
}

test(`[CLI-199] ${ROUNDS * CHANGES} random changes on both sides, killed at any moment: the same, or both versions`, {
  timeout: 60_000 + ROUNDS * 15_000,
}, async () => {
  const site = await joinInstallation()
  const random = seeded(20_261_117)
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  await using user = await site.shell(...scopes)
  const name = site.newWorkspace()
  await user.run('workspace', 'make', name)
  const [owner = '', repo = ''] = name.split('/')
  const there = connectWorkspace({
    baseUrl: site.url,
    owner,
    repo,
    apiKey: await site.apiKey(...scopes),
  }).files
  await user.run('files', 'clone', name, 'copy')
  const folder = user.at('copy')
  const remoteTexts = async () => {
    const { files } = await there.list({ recursive: true })
    const texts = await Promise.all(
      files.map(async ({ path }) => [path, new TextDecoder().decode(await there.read(path))] as const),
    )
    return new Map(texts)
  }
  let usualMs = 1_000
  let killed = 0

  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await remoteTexts()
    const here = new Map<string, string | null>()
    const far = new Map<string, string | null>()
    for (let change = 0; change < CHANGES; change += 1) {
      const path = pick(PATHS)
      const text = random() < 0.25 ? null : `${random() < 0.5 ? 'here' : 'far'} ${randomUUID()}`
      if (random() < 0.5) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        if (text === null) await rm(join(folder, path), { force: true })
        else await writeFile(join(folder, path), text)
        here.set(path, text)
      } else {
        const exists = (await there.list({ recursive: true })).files.some((file) => file.path === path)
        if (text !== null) await there.write(path, text, exists ? { ifRevision: 'any' } : {})
        else if (exists) await there.remove(path)
        far.set(path, text)
      }
    }
    // Somewhere on its way, as it happens to be.
    for (const command of ['pull', 'push']) {
      const running = user.startIn('copy', 'files', command)
      await Promise.race([running.ended, sleep(random() * usualMs * 1.2)])
      if (running.child.exitCode === null) killed += 1
      running.child.kill('SIGKILL')
      await running.ended
    }
    const startedAt = performance.now()
    expect([round, (await user.startIn('copy', 'files', 'pull').ended).code]).toEqual([round, 0])
    usualMs = performance.now() - startedAt
    expect([round, await user.runIn('copy', 'files', 'push')]).toMatchObject([round, { code: 0 }])

    const [local, remote] = [await textsIn(folder), await remoteTexts()]
    expect([round, local]).toEqual([round, remote])
    const texts = new Set(local.values())
    // Everything that somebody wrote last on their side is there, at its place or beside it.
    const written = [...here, ...far].flatMap(([, text]) => (text === null ? [] : [text]))
    expect([round, written.filter((text) => !texts.has(text))]).toEqual([round, []])
    // What nobody touched is as it was.
    const untouched = [...before].filter(([path]) => !here.has(path) && !far.has(path))
    expect([round, untouched.filter(([path, text]) => local.get(path) !== text)]).toEqual([round, []])
  }
  expect(killed).toBeGreaterThan(0)
})
