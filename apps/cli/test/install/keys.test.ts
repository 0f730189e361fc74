import { credentialsFolder, openCredentials } from '@patchbay/client/credentials'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { createUser, type User } from '../user.ts'
import { startRecordingServer } from './recording-server.ts'

const BLINKY = 'com.example.blinky'
const PATCHBAY_API_KEY = 'key_home'

/** Every command that asks a source. */
const ASKING = [
  ['search', 'x'],
  ['install', BLINKY],
]

async function ask(user: User, environment: Record<string, string>, ...more: string[]): Promise<void> {
  for (const words of ASKING) await user.runWith(environment, ...words, ...more)
}

test('[CLI-91] the key of the environment goes to the server beside it, and to no other', async () => {
  await using home = await startRecordingServer()
  await using other = await startRecordingServer()
  await using ada = await createUser()
  const environment = { PATCHBAY_API_KEY, PATCHBAY_SERVER_URL: home.url }
  await ask(ada, environment)
  expect(home.secrets()).toEqual([PATCHBAY_API_KEY])
  await ask(ada, environment, '--server', other.url)
  await ask(ada, environment, '--repo', `${other.url}/repository.json`)
  await ada.runWith(environment, 'repo', 'verify-live', `${other.url}/repository.json`)
  await ada.runWith(environment, 'source', 'add', other.url)
  await ask(ada, environment)
  const published = await ada.runWith(environment, 'package', 'delist', BLINKY, '--server', other.url)
  expect(published).toMatchObject({ code: 1, stderr: expect.stringContaining(`is for ${home.url}`) })
  expect(other.requests.length).toBeGreaterThan(5)
  expect(other.secrets()).toEqual([])
})

deepTest(
  '[CLI-91] without a server beside it, the key goes to the one that is named, and not to sources',
  async () => {
    await using named = await startRecordingServer()
    await using source = await startRecordingServer()
    await using ada = await createUser({ PATCHBAY_API_KEY })
    expect((await ada.run('source', 'add', source.url)).code).toBe(0)
    await ask(ada, {})
    expect(source.requests.length).toBeGreaterThan(2)
    expect(source.secrets()).toEqual([])
    await ask(ada, {}, '--server', named.url)
    expect(named.secrets()).toEqual([PATCHBAY_API_KEY])
    const unnamed = await ada.run('package', 'delist', BLINKY)
    expect(unnamed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('name the server that PATCHBAY_API_KEY is for'),
    })
  },
)

test('[CLI-92] a server is asked with the key that its source names; others never see it', async () => {
  await using team = await startRecordingServer()
  await using other = await startRecordingServer()
  await using ada = await createUser({ TEAM_KEY: 'key_team' })
  await ada.run('source', 'add', other.url, '--name', 'other')
  expect(
    (await ada.run('source', 'add', team.url, '--name', 'team', '--api-key-variable', 'TEAM_KEY')).code,
  ).toBe(0)
  await ask(ada, {})
  expect(team.secrets()).toEqual(['key_team'])
  expect(other.secrets()).toEqual([])
  const before = team.requests.length
  const keyless = await ada.runWith({ TEAM_KEY: '' }, 'search', 'x')
  expect(keyless).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('team was left out: team needs the API key in TEAM_KEY'),
  })
  expect(team.requests.length).toBe(before)
})

test('[CLI-92] a server whose source names the login is asked with the session, and not without', async () => {
  await using team = await startRecordingServer()
  await using other = await startRecordingServer()
  await using ada = await createUser()
  const add = ['source', 'add', team.url, '--name', 'team', '--use-login']
  const stranger = await ada.run(...add)
  expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('needs you to be signed in') })
  expect(team.requests).toEqual([])
  await keepSession(ada, team.url)
  expect((await ada.run(...add)).code).toBe(0)
  await ada.run('source', 'add', other.url)
  await ask(ada, {})
  expect(team.secrets()).toEqual(['Bearer session_team'])
  expect(other.secrets()).toEqual([])
})

test('[CLI-92] a key that cannot be one is refused and not shown; a key and a login are one too many', async () => {
  await using home = await startRecordingServer()
  await using ada = await createUser({ PATCHBAY_SERVER_URL: home.url })
  const broken = await ada.runWith({ PATCHBAY_API_KEY: 'key_sec\nret' }, 'search', 'x')
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('characters that no API key has') })
  expect(broken.stderr).not.toContain('sec')
  const both = await ada.run('source', 'add', home.url, '--use-login', '--api-key-variable', 'X')
  expect(both.code).toBe(2)
  expect(home.requests).toEqual([])
})

async function keepSession({ home }: User, server: string): Promise<void> {
  const session = { sessionToken: 'session_team', handle: 'ada', expiresAt: null }
  await openCredentials(credentialsFolder({ HOME: home })).store(server, session)
}
