import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Repository } from '@patchbay/package-format'
import { isDeep } from '@patchbay/testkit/depth'
import { CRLF_REPOSITORY, LATE_TIMES, writeSampleRepositories } from '@patchbay/testkit/sample-repositories'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRepository } from '../../src/index.ts'
import { serveRepository } from '../../src/repository/index.ts'
import { zip } from '../install/zip.ts'
import { PNG } from './png.ts'
import { failureOf } from './sample.ts'

const REAL = join(import.meta.dirname, '../../../../../shared/data/pcm')
const limits = { attempts: 1 }

let root = ''
const made = await mkdtemp(join(tmpdir(), 'patchbay-made-up-'))
await writeSampleRepositories(made, (names) => zip(names.map((name) => ({ name, data: Buffer.from(PNG) }))))
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'patchbay-real-'))
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
  await rm(made, { recursive: true, force: true })
})

/** The same files, with addresses that can be reached from here. Hashes and times stay as they were published. */
async function copyTo(data: string, name: string, folder: string, base: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const index = JSON.parse(await readFile(join(data, name, 'repository.json'), 'utf8')) as Repository
  await copyFile(join(data, name, 'packages.json'), join(folder, 'packages.json'))
  const packages = { ...index.packages, url: `${base}packages.json` }
  const resources = index.resources && { ...index.resources, url: `${base}resources.zip` }
  const hasIcons = existsSync(join(data, name, 'resources.zip'))
  if (hasIcons) await copyFile(join(data, name, 'resources.zip'), join(folder, 'resources.zip'))
  const copy = { ...index, packages, ...(hasIcons ? { resources } : { resources: undefined }) }
  await writeFile(join(folder, 'repository.json'), JSON.stringify(copy))
}

interface Expected {
  /** Its hash was computed before something turned CRLF into LF. */
  readonly broken: string
  readonly packages: number
  /** How many have times that are not those of their timestamps. */
  readonly late: number
}

function repositoriesContract(data: string, { broken, packages, late }: Expected): void {
  const names = readdirSync(data).filter((name) => existsSync(join(data, name, 'repository.json')))
  const open = (folder: string) =>
    openRepository(
      { url: pathToFileURL(join(folder, 'repository.json')).href, brand: 'kicad' },
      { cacheFolder: join(root, 'cache'), limits },
    )

  test.each(names.filter((name) => name !== broken))(
    '[A-330] %s is read from disk and over http alike',
    async (name) => {
      const folder = join(root, name)
      await copyTo(data, name, folder, pathToFileURL(`${folder}/`).href)
      const file = open(folder)
      const fromDisk = await file.refresh()
      const icons = await file.readIcons()
      await using served = await serveRepository(folder, { port: 0 })
      const cacheFolder = join(root, 'cache')
      const web = openRepository({ url: served.url, brand: 'kicad' }, { cacheFolder, limits })
      const fromWeb = await web.refresh()
      expect(fromWeb.packages).toEqual(fromDisk.packages)
      expect((await web.readIcons()).size).toBe(icons.size)
      expect(fromDisk.quarantined).toEqual([])
      expect(fromDisk.packages.length).toBeGreaterThan(0)
    },
  )

  test('[A-330] the one whose hash fits its CRLF form is refused, and the message says just that', async () => {
    const folder = join(root, broken)
    await copyTo(data, broken, folder, pathToFileURL(`${folder}/`).href)
    const failure = await failureOf(open(folder).refresh())
    expect(failure).toMatchObject({ code: 'hash_mismatch' })
    expect(failure.message).toContain('it matches when line ends are CRLF')
  })

  test('[A-330] all packages are there, and those whose times are off are told so', async () => {
    let found = 0
    let told = 0
    for (const name of names) {
      const folder = join(root, `${name}-counted`)
      await copyTo(data, name, folder, pathToFileURL(`${folder}/`).href)
      if (name === broken) await writeWithoutHash(folder)
      const snapshot = await open(folder).refresh()
      found += snapshot.packages.length + snapshot.quarantined.length
      if (snapshot.findings.some(({ code }) => code === 'update_time')) told += 1
    }
    expect([found, told]).toEqual([packages, late])
  })
}

const MADE_UP = {
  title: 'repositories with the oddities of public ones',
  data: made,
  expected: { broken: CRLF_REPOSITORY, packages: 9, late: new Set(LATE_TIMES.map(([name]) => name)).size },
}
const PUBLIC = {
  title: 'the public repositories',
  data: REAL,
  expected: { broken: 'partreel', packages: 98, late: 6 },
}

describe.each(isDeep && existsSync(REAL) ? [MADE_UP, PUBLIC] : [MADE_UP])('$title', ({ data, expected }) => {
  repositoriesContract(data, expected)
})

async function writeWithoutHash(folder: string): Promise<void> {
  const path = join(folder, 'repository.json')
  const index = JSON.parse(await readFile(path, 'utf8')) as Repository
  await writeFile(path, JSON.stringify({ ...index, packages: { ...index.packages, sha256: undefined } }))
}
