import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Repository } from '@patchbay/package-format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRepository } from '../../src/index.ts'
import { serveRepository } from '../../src/repository/index.ts'
import { failureOf } from './sample.ts'

const DATA = join(import.meta.dirname, '../../../../../shared/data/pcm')
const NAMES = existsSync(DATA)
  ? readdirSync(DATA).filter((name) => existsSync(join(DATA, name, 'repository.json')))
  : []
/** Its hash was computed before something turned CRLF into LF. */
const BROKEN = 'partreel'
const PACKAGES = 98

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'patchbay-real-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** The same files, with addresses that can be reached from here. Hashes and times stay as they were published. */
async function copyTo(name: string, folder: string, base: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const index = JSON.parse(await readFile(join(DATA, name, 'repository.json'), 'utf8')) as Repository
  await copyFile(join(DATA, name, 'packages.json'), join(folder, 'packages.json'))
  const packages = { ...index.packages, url: `${base}packages.json` }
  const resources = index.resources && { ...index.resources, url: `${base}resources.zip` }
  const hasIcons = existsSync(join(DATA, name, 'resources.zip'))
  if (hasIcons) await copyFile(join(DATA, name, 'resources.zip'), join(folder, 'resources.zip'))
  const copy = { ...index, packages, ...(hasIcons ? { resources } : { resources: undefined }) }
  await writeFile(join(folder, 'repository.json'), JSON.stringify(copy))
}

describe.runIf(NAMES.length > 0)(
  'the public repositories; skipped where ../shared/data/pcm is missing',
  () => {
    const limits = { attempts: 1 }

    test.each(NAMES.filter((name) => name !== BROKEN))(
      '[A-330] %s is read from disk and over http alike',
      async (name) => {
        const folder = join(root, name)
        await copyTo(name, folder, pathToFileURL(`${folder}/`).href)
        const cacheFolder = join(root, 'cache')
        const file = openRepository(
          { url: pathToFileURL(join(folder, 'repository.json')).href, brand: 'kicad' },
          { cacheFolder, limits },
        )
        const fromDisk = await file.refresh()
        const icons = await file.readIcons()
        await using served = await serveRepository(folder, { port: 0 })
        const web = openRepository({ url: served.url, brand: 'kicad' }, { cacheFolder, limits })
        const fromWeb = await web.refresh()
        expect(fromWeb.packages).toEqual(fromDisk.packages)
        expect((await web.readIcons()).size).toBe(icons.size)
        expect(fromDisk.quarantined).toEqual([])
        expect(fromDisk.packages.length).toBeGreaterThan(0)
      },
    )

    test('[A-330] the one whose hash fits its CRLF form is refused, and the message says just that', async () => {
      const folder = join(root, BROKEN)
      await copyTo(BROKEN, folder, pathToFileURL(`${folder}/`).href)
      const source = { url: pathToFileURL(join(folder, 'repository.json')).href, brand: 'kicad' }
      const failure = await failureOf(
        openRepository(source, { cacheFolder: join(root, 'cache'), limits }).refresh(),
      )
      expect(failure).toMatchObject({ code: 'hash_mismatch' })
      expect(failure.message).toContain('it matches when line ends are CRLF')
    })

    test('[A-330] together they have 98 packages, and those whose times are off are told so', async () => {
      let packages = 0
      const late: string[] = []
      for (const name of NAMES) {
        const folder = join(root, `${name}-counted`)
        await copyTo(name, folder, pathToFileURL(`${folder}/`).href)
        if (name === BROKEN) await writeWithoutHash(folder)
        const source = { url: pathToFileURL(join(folder, 'repository.json')).href, brand: 'kicad' }
        const snapshot = await openRepository(source, { cacheFolder: join(root, 'cache'), limits }).refresh()
        packages += snapshot.packages.length + snapshot.quarantined.length
        if (snapshot.findings.some(({ code }) => code === 'update_time')) late.push(name)
      }
      expect(packages).toBe(PACKAGES)
      expect(late).toHaveLength(6)
    })
  },
)

async function writeWithoutHash(folder: string): Promise<void> {
  const path = join(folder, 'repository.json')
  const index = JSON.parse(await readFile(path, 'utf8')) as Repository
  await writeFile(path, JSON.stringify({ ...index, packages: { ...index.packages, sha256: undefined } }))
}
