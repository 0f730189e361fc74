import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { depth } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test, vi } from 'vitest'
import { systemSurroundings } from '../../src/surroundings.ts'
import { recordPathOf } from '../../src/tokens/file-name.ts'
import { NotConnected, type TokenKeeper } from '../../src/tokens/index.ts'
import { prepareWrite } from '../../src/tokens/token-file.ts'
import { startConnection } from './connection.ts'
import { obtainCode } from './sign-in.ts'

const HOSTILE_NAMES = [
  'ada Ada ADA ../ada ../../etc/passwd /etc/passwd a/b a%2fb a\\b %41da ... .hidden ada.json ada.lock'.split(
    ' ',
  ),
  ['ada\0', 'ada\n', ' ada', 'ada ', '~', '-rf', 'zoë', 'zoe\u0308', '💥', 'C:', 'nul', '*', '$HOME'],
  [`%long-${'0'.repeat(64)}`],
].flat()

const UNUSABLE = { reason: 'unusable_record', configured: false }

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('[B-510] a record is in the home of the user, for nobody else to read, also with an open umask', async () => {
  await using connection = await startConnection()
  const { folder: home, proxy, provider } = connection
  const umask = process.umask(0)
  vi.stubEnv('HOME', home)
  try {
    const { TokenKeeper } = await import('../../src/tokens/index.ts')
    const { Credentials } = await import('../../src/credentials/index.ts')
    const credentials = new Credentials({ clientId: 'public' })
    const keeper = new TokenKeeper({ provider: 'idp', tokenUrl: proxy.tokenUrl, credentials })
    await keeper.redeem('ada', await obtainCode(provider.issuer, { clientId: 'public' }))
  } finally {
    vi.unstubAllEnvs()
    process.umask(umask)
  }
  const file = join(home, '.patchbay', 'oauth', 'idp', 'ada.json')
  expect(await modeOf(file)).toBe(0o600)
  for (const folder of ['.patchbay', '.patchbay/oauth', '.patchbay/oauth/idp']) {
    expect(await modeOf(join(home, folder))).toBe(0o700)
  }
  const record: unknown = JSON.parse(await readFile(file, 'utf8'))
  expect(Object.keys(record as object)).toEqual(['accessToken', 'refreshToken', 'expiresAt'])
  expect(record).toEqual({
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresAt: expect.any(Number),
  })
  expect(await readdir(dirname(file))).toEqual(['ada.json'])
})

test('[B-511] hostile names have files of their own, inside the folder', async () => {
  await using connection = await startConnection()
  const names = [...HOSTILE_NAMES, 'x'.repeat(5_000), 'x'.repeat(5_001), 'é'.repeat(60)]
  for (const name of names) {
    const write = await prepareWrite(pathOf(connection.folder, name), systemSurroundings)
    await write.commit({ accessToken: name })
    await write.close()
  }
  for (const name of names) {
    expect(await connection.keeper.getAccessToken(name)).toBe(name)
    for (const provider of names.slice(0, 6)) {
      const keeper = connection.createKeeper({ provider: `${provider}/` })
      await expect(keeper.getAccessToken(name)).rejects.toMatchObject({ reason: 'no_record' })
    }
  }
  const files = await readdir(connection.folder, { recursive: true })
  expect(files.filter((file) => file.endsWith('.json'))).toHaveLength(names.length)
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length)
  expect(await readdir(connection.folder)).toEqual(['idp'])
})

test.each(['', '.', '..', 'half \ud83d of a pair'])('[B-511] the name %j is refused', async (name) => {
  await using connection = await startConnection()
  await expect(connection.keeper.getAccessToken(name)).rejects.toThrow(TypeError)
  await expect(connection.keeper.disconnect(name)).rejects.toThrow(TypeError)
  expect(() => connection.createKeeper({ provider: name })).toThrow(TypeError)
})

test('[B-512] a process killed while it writes leaves a whole record', async () => {
  await using connection = await startConnection()
  const script = join(import.meta.dirname, 'write-process.ts')
  const endings: string[] = []
  const isShown = () => endings.some((name) => name.endsWith('.part'))
  // Until one was killed in the middle: before, nothing was shown.
  for (let round = 0; round < depth({ common: 2, deep: 8 }) || (!isShown() && round < 40); round += 1) {
    const writer = startProcess(process.execPath, [script, connection.file, String(round)])
    await waitUntil('the writer writes', () => writer.output().includes('writing'), { intervalMs: 1 })
    await new Promise((resolve) => setTimeout(resolve, (round % 8) * 5))
    await writer.kill('SIGKILL')
    const { accessToken } = await connection.read()
    expect(accessToken).toMatch(/^(\d+ )\1*$/)
    expect(accessToken.length).toBeGreaterThan(100_000)
    endings.push(...(await readdir(dirname(connection.file))))
  }
  expect(isShown()).toBe(true)
  await connection.connect()
  expect(await readdir(dirname(connection.file))).toEqual(['ada.json'])
})

test('[B-513] a file and a folder that others may read are made private', async () => {
  await using connection = await startConnection()
  await connection.connect()
  await chmod(connection.file, 0o644)
  await connection.keeper.getAccessToken('ada')
  expect(await modeOf(connection.file)).toBe(0o600)
  await chmod(dirname(connection.file), 0o755)
  await connection.connect()
  expect(await modeOf(dirname(connection.file))).toBe(0o700)
})

test.each([
  ['no JSON', '{"accessToken":"half'],
  ['nothing', ''],
  ['a list', '["accessToken"]'],
  ['null', 'null'],
  ['no access token', '{"refreshToken":"r","expiresAt":1}'],
  ['an access token that is no text', '{"accessToken":7}'],
  ['a refresh token that is no text', '{"accessToken":"a","refreshToken":7}'],
  ['an end that is no number', '{"accessToken":"a","expiresAt":"tomorrow"}'],
  ['too much', `{"accessToken":"${'a'.repeat(1024 * 1024)}"}`],
])('[B-514] a record that is %s is reported and left alone', async (_, text) => {
  await using connection = await startConnection()
  await mkdir(dirname(connection.file), { recursive: true })
  await writeFile(connection.file, text)
  expect(await reportOf(connection.keeper)).toEqual(UNUSABLE)
  expect(await readFile(connection.file, 'utf8')).toBe(text)
})

test('[B-514] nulls stand for what is not there', async () => {
  await using connection = await startConnection()
  await mkdir(dirname(connection.file), { recursive: true })
  await connection.write({ accessToken: 'a', refreshToken: null, expiresAt: null })
  expect(await connection.keeper.getAccessToken('ada')).toBe('a')
})

test('[B-514] a pipe or a folder in the place of a record is not waited for', async () => {
  await using connection = await startConnection()
  await mkdir(dirname(connection.file), { recursive: true })
  await promisify(execFile)('mkfifo', [connection.file])
  expect(await reportOf(connection.keeper)).toEqual(UNUSABLE)
  await rm(connection.file)
  await mkdir(connection.file)
  expect(await reportOf(connection.keeper)).toEqual(UNUSABLE)
})

test("[B-514] somebody else's file is not used", async () => {
  await using connection = await startConnection()
  await connection.connect()
  const uid = process.getuid?.() ?? 0
  // Only root can give a file away; anybody else is told to be another.
  if (uid === 0) await chown(connection.file, 12_345, 12_345)
  else vi.spyOn(process, 'getuid').mockReturnValue(uid + 1)
  expect(await reportOf(connection.keeper)).toEqual(UNUSABLE)
  vi.restoreAllMocks()
})

test('[B-515] members that are not ours survive a refresh', async () => {
  await using connection = await startConnection()
  await connection.connect()
  await connection.write({ ...(await connection.read()), scope: 'a b', account: { id: 7 } })
  connection.time.offset = 3_600_000
  const token = await connection.keeper.getAccessToken('ada')
  expect(await connection.read()).toMatchObject({ accessToken: token, scope: 'a b', account: { id: 7 } })
})

test('[B-516] a link is not read, and connecting replaces it', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const elsewhere = join(connection.folder, 'elsewhere.json')
  await writeFile(elsewhere, '{"accessToken":"planted"}')
  await rm(connection.file)
  await symlink(elsewhere, connection.file)
  expect(await reportOf(connection.keeper)).toEqual(UNUSABLE)
  await connection.connect()
  expect(await connection.keeper.getAccessToken('ada')).not.toBe('planted')
  expect(await readFile(elsewhere, 'utf8')).toBe('{"accessToken":"planted"}')
})

async function reportOf(keeper: TokenKeeper): Promise<object> {
  const error = await keeper.getAccessToken('ada').catch((thrown: unknown) => thrown)
  const reason = error instanceof NotConnected ? error.reason : error
  return { reason, configured: await keeper.isConfigured('ada') }
}

function pathOf(folder: string, name: string): string {
  return recordPathOf(join(folder, 'idp'), name)
}
