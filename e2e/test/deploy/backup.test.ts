import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createUser, type User } from '@patchbay/cli/test/user'
import { deepTest } from '@patchbay/testkit/depth'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { expect, test, vi } from 'vitest'
import { checkContract, moveIn } from '../contract/check-contract.ts'
import { asPerson, type SignedIn } from '../identity/signed-in.ts'
import { type Site, type SiteOptions, startSite } from '../identity-pages/site.ts'
import { makeAccount, openSession, sha256 } from '../installation/accounts.ts'

// A server is started, filled, emptied and started again.
vi.setConfig({ testTimeout: 120_000 })

const emptyDatabase = () => cloneDatabase({ fingerprint: 'nothing', migrate: async () => {} })

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-backup-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A place for an installation: a database, and a folder for objects and backups. */
async function createPlace() {
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await emptyDatabase())
  const folder = cleanup.use(await temporaryFolder())
  const environment = {
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder.path, 'objects')).href,
    PATCHBAY_SPOOL_FOLDER: join(folder.path, 'spool'),
  }
  const operator = cleanup.use(await createUser({ DATABASE_URL: database.url, ...environment }))
  const owned = cleanup.move()
  return {
    operator,
    folder: folder.path,
    start: (options: SiteOptions = {}) => startSite({ ...options, databaseUrl: database.url, environment }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function shellOf(url: string, apiKey: string): Promise<User> {
  return await createUser({ PATCHBAY_SERVER_URL: url, PATCHBAY_API_KEY: apiKey })
}

/** The state of a login: what its status answers, and with which HTTP status. */
async function statusOf(url: string, token: string) {
  const answer = await fetch(`${url}/auth/intents/${token}/status`)
  return { http: answer.status, ...((await answer.json()) as { state?: string; session_token?: string }) }
}

/** Three logins: one that waits, one that the person has approved, one that has expired. */
async function beginLogins(site: Site, ada: SignedIn) {
  const begin = async () => {
    const answer = await fetch(`${site.url}/auth/intents`, { method: 'POST' })
    return ((await answer.json()) as { token: string }).token
  }
  const [waiting, approved, expired] = [await begin(), await begin(), await begin()]
  await ada.decide(site.url, approved)
  await site.db
    .updateTable('intents')
    .set({ expires_at: new Date(0) })
    .where('token_hash', '=', sha256(expired))
    .execute()
  return { waiting, approved, expired, told: await statusOf(site.url, approved) }
}

test('[S-25][S-26] everything gone, restored elsewhere: all is the same, and the installation keeps the contract', async () => {
  await using here = await createPlace()
  await using elsewhere = await createPlace()
  const before = await (async () => {
    await using site = await here.start()
    const session = await openSession(site, await makeAccount(site, 'ada'))
    const resident = await moveIn(site.url, 'ada', session)
    const logins = await beginLogins(site, resident.person)
    const { installation } = await (await fetch(`${site.url}/api/about`)).json()
    // While the server runs.
    expect(await here.operator.run('admin', 'backup', join(here.folder, 'backup'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^database: \d+ tables, \d+ rows\nobjects: [1-9]\d*\nfiles: 1\nrecordings: 0\nlibraries: 0\nThe backup is in /,
      ),
    })
    return { resident, logins, installation }
  })()
  const restored = await elsewhere.operator.run('admin', 'restore', join(here.folder, 'backup'))
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything is restored.') })
  await here[Symbol.asyncDispose]()

  await using site = await elsewhere.start()
  expect((await (await fetch(`${site.url}/api/about`)).json()).installation).toEqual(before.installation)
  const { resident, logins } = before
  await using ada = await shellOf(site.url, resident.apiKey)
  expect((await ada.run('workspace', 'show', 'ada/board')).stdout).toContain('Firmware')
  expect((await ada.run('files', 'cat', 'ada/board', 'packages/metadata.json')).stdout).toContain(
    '"com.example.blinky"',
  )
  expect(await ada.run('install', 'com.example.blinky', '--root', ada.at('3rdparty'))).toMatchObject({
    code: 0,
  })
  expect(await readdir(ada.at('3rdparty'), { recursive: true })).toContain(
    'resources/com_example_blinky/icon.png',
  )
  const person = asPerson('ada', resident.person.token, site.url)
  expect(await statusOf(site.url, logins.approved)).toEqual(logins.told)
  expect(await statusOf(site.url, logins.expired)).toMatchObject({ http: 410 })
  expect(await statusOf(site.url, logins.waiting)).toEqual({ http: 200, state: 'pending' })
  expect((await person.decide(site.url, logins.waiting)).status).toBe(200)
  expect(await statusOf(site.url, logins.waiting)).toMatchObject({ http: 200, state: 'authenticated' })
  // New rows get new numbers.
  await checkContract({ ...resident, url: site.url, person })
  expect(await ada.run('workspace', 'add', 'ada/board', 'system-log')).toMatchObject({ code: 0 })
})

deepTest('[S-25] what is not whole, or would replace something, is refused with words', async () => {
  await using place = await createPlace()
  await using _site = await place.start()
  const { operator, folder } = place
  const backup = join(folder, 'backup')
  expect(await operator.run('admin', 'backup', backup)).toMatchObject({ code: 0 })
  const refused = async (...words: string[]) => {
    const { code, stderr } = await operator.run('admin', ...words)
    expect(code).toBe(1)
    return stderr
  }
  expect(await refused('backup', backup)).toContain('is not empty')
  expect(await refused('restore', backup)).toMatch(/The database is not empty: \w+ has rows/)
  expect(await refused('restore', folder)).toContain('holds no backup')

  await using other = await createPlace()
  const elsewhere = async () => (await other.operator.run('admin', 'restore', backup)).stderr
  const manifest = await readFile(join(backup, 'manifest.json'), 'utf8')
  const change = (text: string | RegExp, to: string) =>
    writeFile(join(backup, 'manifest.json'), manifest.replace(text, to))
  await change('"format": 1', '"format": 2')
  expect(await elsewhere()).toContain('of a kind that is not known here')
  await change('"area": "kernel"', '"area": "later"')
  expect(await elsewhere()).toContain('a version newer than this one')
  await change(/"objects": \d+/, '"objects": 77')
  expect(await elsewhere()).toContain('says that it has 77')
  await writeFile(join(backup, 'manifest.json'), manifest)
  await appendFile(join(backup, 'tables/installation'), 'x')
  expect(await elsewhere()).toContain('The rows of installation are not the ones that were written.')
})
