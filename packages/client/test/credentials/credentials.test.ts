import { execFile } from 'node:child_process'
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import {
  credentialsFolder,
  findLastServer,
  openCredentials,
  openPendingLogins,
} from '../../src/credentials/index.ts'

const run = promisify(execFile)
const WRITER = join(import.meta.dirname, 'writing-process.ts')
const ONE = 'https://one.example.com'
const TWO = 'http://localhost:8790'
const session = { sessionToken: 'tok_secret-of-one', handle: 'ada', expiresAt: '2026-01-01T00:00:00.000Z' }

async function home() {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-credentials-'))
  return {
    folder: join(folder, 'config', 'patchbay'),
    path: join(folder, 'config', 'patchbay', 'credentials.json'),
    outside: join(folder, 'outside'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('[CL-40] the folder is that of the XDG specification', () => {
  expect(credentialsFolder({ XDG_CONFIG_HOME: '/x/config', HOME: '/home/ada' })).toBe('/x/config/patchbay')
  expect(credentialsFolder({ HOME: '/home/ada' })).toBe('/home/ada/.config/patchbay')
  expect(credentialsFolder({ XDG_CONFIG_HOME: 'relative', HOME: '/home/ada' })).toBe(
    '/home/ada/.config/patchbay',
  )
})

test('[CL-40] sessions are kept by origin, for their user alone, whatever the umask', async () => {
  await using place = await home()
  const before = process.umask(0)
  try {
    const credentials = openCredentials(place.folder)
    expect(await credentials.find(ONE)).toBeUndefined()
    await credentials.store(`${ONE}/`, session)
    await credentials.store(TWO, { ...session, sessionToken: 'tok_two' })
  } finally {
    process.umask(before)
  }
  expect([await modeOf(place.folder), await modeOf(place.path)]).toEqual(['700', '600'])
  const again = openCredentials(place.folder)
  expect(await again.find(`${ONE}/below`)).toEqual(session)
  expect(await again.remove(ONE)).toBe(true)
  expect(await again.remove(ONE)).toBe(false)
  expect(await again.find(ONE)).toBeUndefined()
  expect((await again.find(TWO))?.sessionToken).toBe('tok_two')
  expect(await readdir(place.folder)).toEqual(['credentials.json'])
})

test('[CL-120] F4: the server of the latest login that is still kept is known; a file that cannot be used knows none', async () => {
  await using place = await home()
  const credentials = openCredentials(place.folder)
  expect(await findLastServer(credentials)).toBeUndefined()
  const at = (server: string, day: number) => ({
    ...session,
    login: { server, at: `2026-01-0${day}T00:00:00Z` },
  })
  await credentials.store(ONE, at(`${ONE}/below`, 2))
  await credentials.store(TWO, at(TWO, 1))
  await credentials.store('https://three.example.com', session)
  expect(await findLastServer(credentials)).toBe(`${ONE}/below`)
  await credentials.store(TWO, at(TWO, 3))
  expect(await findLastServer(credentials)).toBe(TWO)
  await credentials.remove(TWO)
  await credentials.store('https://four.example.com', at('http://192.0.2.1', 4))
  expect(await findLastServer(credentials)).toBe(`${ONE}/below`)
  await writeFile(place.path, 'no JSON', { mode: 0o600 })
  expect(await findLastServer(credentials)).toBeUndefined()
})

test.each(['620', '604', '640', '660'])(
  '[CL-41] a file of mode %s is refused and left as it is',
  async (mode) => {
    await using place = await home()
    const credentials = openCredentials(place.folder)
    await credentials.store(ONE, session)
    await chmod(place.path, Number.parseInt(mode, 8))
    await expect(credentials.find(ONE)).rejects.toThrow(/credentials\.json can be read by other users/)
    await expect(credentials.store(TWO, session)).rejects.toThrow(/can be read by other users/)
    expect(await modeOf(place.path)).toBe(mode)
  },
)

test('[CL-41] a symbolic link is refused, also when it leads to a sound file', async () => {
  await using place = await home()
  const credentials = openCredentials(place.folder)
  await credentials.store(ONE, session)
  await link(place.path, place.outside)
  await rm(place.path)
  await symlink(place.outside, place.path)
  await expect(credentials.find(ONE)).rejects.toThrow(/is a symbolic link/)
  expect(await readFile(place.outside, 'utf8')).toContain('tok_secret-of-one')
})

test('[CL-41] a pipe, a folder, damaged text and another version are refused without waiting or repeating', async () => {
  await using place = await home()
  const credentials = openCredentials(place.folder)
  await mkdir(place.folder, { recursive: true })
  await run('mkfifo', ['-m', '600', place.path])
  await expect(credentials.find(ONE)).rejects.toThrow(/is no plain file/)
  await rm(place.path)
  for (const [text, words] of [
    ['{"version":1,"servers":{"tok_leak', /is damaged/],
    ['null', /is damaged/],
    ['[]', /is damaged/],
    ['{"version":2,"servers":{}}', /another version/],
    [`{"version":1,"servers":{"${ONE}":{"sessionToken":""}}}`, /an entry that cannot be used/],
    ['x'.repeat(1024 * 1024 + 1), /too large/],
  ] as const) {
    await writeFile(place.path, text, { mode: 0o600 })
    const error: unknown = await credentials.find(ONE).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(words)
    expect(inspect(error)).not.toContain('tok_leak')
  }
})

test.skipIf(process.getuid?.() !== 0)('[CL-41] a file of somebody else is refused', async () => {
  await using place = await home()
  const credentials = openCredentials(place.folder)
  await credentials.store(ONE, session)
  await run('chown', ['nobody', place.path])
  await expect(credentials.find(ONE)).rejects.toThrow(/belongs to another user/)
})

deepTest(
  '[CL-42] writers at the same time do not undo each other, and leave nothing but the file',
  async () => {
    await using place = await home()
    const servers = Array.from({ length: 20 }, (_, index) => `https://s${index}.example.com`)
    await Promise.all(servers.map((server) => openCredentials(place.folder).store(server, session)))
    const found = await Promise.all(servers.map((server) => openCredentials(place.folder).find(server)))
    expect(found).toEqual(servers.map(() => session))
    expect(await readdir(place.folder)).toEqual(['credentials.json'])
  },
)

test('[CL-42] S9: nobody waits for a process that was killed while it wrote', async () => {
  await using place = await home()
  const credentials = openCredentials(place.folder)
  await credentials.store(ONE, session)
  await using writer = startProcess(process.execPath, [WRITER, place.folder])
  await waitUntil('it writes', () => writer.output().includes('writes'))
  await writer.kill('SIGKILL')
  expect(await readdir(place.folder)).toContain('credentials.json.lock')
  await credentials.store(TWO, session)
  expect(await credentials.find(TWO)).toEqual(session)
  expect(await readdir(place.folder)).toEqual(['credentials.json'])
})

test('[CL-42] a write that fails leaves the old file whole', async () => {
  await using place = await home()
  let drawn = 0
  const surroundings = {
    now: () => Date.now(),
    random: () => 0,
    // Of its own for each claim to the lock, and known beforehand for the name of the new file.
    randomBytes: (size: number) => new Uint8Array(size).fill(size === 8 ? 0 : (drawn += 1)),
  }
  const credentials = openCredentials(place.folder, surroundings)
  await credentials.store(ONE, session)
  // Something stands where the new text would be written: it cannot be, and the old one stays.
  await mkdir(`${place.path}.${'00'.repeat(8)}.part`)
  await expect(credentials.store(TWO, session)).rejects.toThrow(/cannot be written \(EEXIST\)/)
  expect(await credentials.find(ONE)).toEqual(session)
})

test('[CL-43] pending logins are kept in the same way, in a file of their own', async () => {
  await using place = await home()
  const pending = {
    baseUrl: ONE,
    token: 'int_1',
    verifier: 'v',
    authUrl: `${ONE}/authorize`,
    confirmationCode: 'amber falcon',
    createdAt: 'x',
    expiresAt: 'y',
    requestedMaxAge: 60,
    waitUntil: 1,
  }
  await openPendingLogins(place.folder).store(ONE, pending)
  expect(await openPendingLogins(place.folder).find(ONE)).toEqual(pending)
  expect(await modeOf(join(place.folder, 'pending-logins.json'))).toBe('600')
  expect(await openCredentials(place.folder).find(ONE)).toBeUndefined()
})

deepTest('[CL-44] of many that take one entry, one gets it; one that is not wanted stays', async () => {
  await using place = await home()
  await openCredentials(place.folder).store(ONE, session)
  await openCredentials(place.folder).store(TWO, session)
  expect(await openCredentials(place.folder).take(ONE, () => false)).toBeUndefined()
  expect(await openCredentials(place.folder).find(ONE)).toEqual(session)
  const takers = Array.from({ length: 8 }, () => openCredentials(place.folder).take(ONE, () => true))
  const taken = await Promise.all(takers)
  expect(taken.filter((entry) => entry !== undefined)).toEqual([session])
  expect(await openCredentials(place.folder).find(TWO)).toEqual(session)
})

deepTest(
  '[CL-44] of many that replace one entry, each is told whose place it took, so none is lost',
  async () => {
    await using place = await home()
    const tokens = Array.from({ length: 8 }, (_, index) => `tok_${index}`)
    const replace = (sessionToken: string) =>
      openCredentials(place.folder).replace(ONE, { ...session, sessionToken })
    const formers = await Promise.all(tokens.map(replace))
    const last = await openCredentials(place.folder).find(ONE)
    const seen = [...formers, last].flatMap((entry) => (entry === undefined ? [] : [entry.sessionToken]))
    expect(seen.toSorted()).toEqual(tokens)
  },
)

test('[CL-44] an entry is not replaced when another stands there than was expected', async () => {
  await using place = await home()
  const credentials = openCredentials(place.folder)
  await credentials.store(ONE, session)
  const other = { ...session, sessionToken: 'tok_other' }
  expect(await credentials.replace(ONE, other, () => false)).toEqual(session)
  expect(await credentials.find(ONE)).toEqual(session)
  expect(await credentials.replace(ONE, other, (former) => former?.handle === 'ada')).toEqual(session)
  expect(await credentials.find(ONE)).toEqual(other)
})
