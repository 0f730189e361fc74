import { CORE_ENDPOINTS } from '@patchbay/contracts/core'
import { IDENTITY_ENDPOINTS } from '@patchbay/contracts/identity'
import { PANELS_ENDPOINTS } from '@patchbay/contracts/panels'
import { REGISTRY_ENDPOINTS } from '@patchbay/contracts/registry'
import { expect, test } from 'vitest'
import { migratedDatabase, startTestServer } from './start.ts'

/** Every endpoint of the server that is not for anybody, and takes a body. */
const ENDPOINTS = [
  ...CORE_ENDPOINTS,
  ...IDENTITY_ENDPOINTS,
  ...PANELS_ENDPOINTS,
  ...REGISTRY_ENDPOINTS,
].filter(({ problems, body }) => problems?.includes('sign_in_required') === true && body !== undefined)

test('[S-23][K-237] C16: who asks comes before what is asked', async () => {
  expect(ENDPOINTS.length).toBeGreaterThan(10)
  await using migrated = await migratedDatabase()
  await using server = await startTestServer({ DATABASE_URL: migrated.url })
  for (const { method, path } of ENDPOINTS) {
    for (const { headers, code } of [
      { headers: {}, code: 'sign_in_required' },
      { headers: { 'x-api-key': 'pbk_unknown' }, code: 'credential_invalid' },
    ] as const)
      for (const body of ['{"nonsense":1}', '{"nonsense', '[]']) {
        const answer = await server.ask(path.replaceAll(/\{[^}]+\}/g, 'x'), {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        })
        const told = (await answer.json()) as { code?: string }
        expect({ method, path, body, status: answer.status, code: told.code }).toEqual({
          method,
          path,
          body,
          status: 401,
          code,
        })
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
  }
})
