import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Credentials, CredentialsFault, readCredentials } from '../../src/credentials/index.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-credentials-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function credentialsOf(text: string): Promise<Credentials> {
  const path = join(folder, 'credentials.json')
  await writeFile(path, text)
  return readCredentials(path)
}

test('[B-500] clientId and clientSecret are read, whatever else is in the file', async () => {
  const credentials = await credentialsOf('{"clientId":"app","clientSecret":"s3cret","project":{"a":1}}')
  expect(credentials.clientId).toBe('app')
  expect(credentials.clientSecret).toBe('s3cret')
})

test('[B-500] a byte order mark does not matter', async () => {
  expect((await credentialsOf('\uFEFF{"clientId":"app"}')).clientId).toBe('app')
})

test('[B-500] without a secret the client is public', async () => {
  expect((await credentialsOf('{"clientId":"app"}')).clientSecret).toBeUndefined()
  expect((await credentialsOf('{"clientId":"app","clientSecret":null}')).clientSecret).toBeUndefined()
})

test.each([
  ['', 'is not a JSON object'],
  ['{"clientId":"app","clientSecret":"s3cret"', 'is not a JSON object'],
  ['["s3cret"]', 'is not a JSON object'],
  ['"s3cret"', 'is not a JSON object'],
  ['{"clientSecret":"s3cret"}', 'needs a clientId'],
  ['{"clientId":"","clientSecret":"s3cret"}', 'needs a clientId'],
  ['{"clientId":7,"clientSecret":"s3cret"}', 'needs a clientId'],
  ['{"clientId":"app","clientSecret":""}', 'has a clientSecret that is no string, or empty'],
  ['{"clientId":"app","clientSecret":["s3cret"]}', 'has a clientSecret that is no string, or empty'],
])('[B-501] %s is refused and not repeated', async (text, message) => {
  const error = await credentialsOf(text).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CredentialsFault)
  expect(error).toMatchObject({ message: expect.stringContaining(message) })
  expect(error).toMatchObject({ message: expect.stringContaining(join(folder, 'credentials.json')) })
  expect(inspect(error, { showHidden: true })).not.toContain('s3cret')
})

test('[B-501] a file that is missing or unreadable is refused', async () => {
  await expect(readCredentials(join(folder, 'none.json'))).rejects.toThrow('is not there')
  await expect(readCredentials(folder)).rejects.toThrow('cannot be read (EISDIR)')
})

test('[B-502] neither inspection nor JSON shows the secret', () => {
  const credentials = new Credentials({ clientId: 'app', clientSecret: 's3cret' })
  expect(credentials.clientSecret).toBe('s3cret')
  expect(inspect(credentials, { showHidden: true, getters: true })).not.toContain('s3cret')
  expect(JSON.stringify({ credentials })).not.toContain('s3cret')
})
