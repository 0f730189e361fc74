import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'
import { asApplication, giveApplicationSession, makeKey, withKey } from '../session-list/credentials.ts'
import { startIdentity } from '../start.ts'

test('[C-78] any credential may change something, a browser’s only from a page of ours', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const other = await node.signedIn('ada')
  const session = await giveApplicationSession(node.deps, ada.personId)
  const key = await makeKey(ada)
  const origin = 'http://patchbay.localhost'
  const { cookie, csrf } = ada
  const outcomeOf = async (headers: IncomingHttpHeaders) => {
    try {
      const { handle, credential } = await node.authentication.requireChange({ headers })
      return `${handle} ${credential.kind}`
    } catch (error) {
      if (error instanceof Problem) return error.code
      throw error
    }
  }
  expect(await outcomeOf({})).toBe('sign_in_required')
  expect(await outcomeOf(asApplication(session).headers)).toBe('ada application')
  expect(await outcomeOf(withKey(key).headers)).toBe('ada api_key')
  expect(await outcomeOf({ ...asApplication(session).headers, cookie })).toBe('ada application')
  expect(await outcomeOf({ cookie, origin, 'x-csrf-token': csrf })).toBe('ada browser')
  expect(await outcomeOf({ cookie, 'x-csrf-token': csrf })).toBe('origin_not_allowed')
  expect(await outcomeOf({ cookie, origin })).toBe('csrf_token_required')
  expect(await outcomeOf({ cookie, origin, 'x-csrf-token': other.csrf })).toBe('csrf_token_required')
  expect(await outcomeOf({ authorization: 'Bearer tok_x', cookie })).toBe('credential_invalid')
})
