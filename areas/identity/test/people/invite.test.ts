import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { invite } from '../../src/people/invite.store.ts'
import { setDisabled } from '../../src/people/people.store.ts'
import { sha256 } from '../../src/secrets.ts'
import type { Browser } from '../browser.ts'
import { makeKey, withKey } from '../session-list/credentials.ts'
import { dumpTables } from '../session-list/dump.ts'
import { type IdentityNode, startIdentity } from '../start.ts'

async function invited(by: Browser, body: unknown) {
  const response = await by.change('POST', '/auth/invitations', body)
  const { url, expires_at: expiresAt } = (await response.json()) as { url: string; expires_at: string }
  const secret = new URL(url).searchParams.get('invitation') ?? ''
  return { response, url, expiresAt, secret, hash: sha256(secret) }
}

const find = async ({ db }: IdentityNode, hash: Buffer) =>
  await db.selectFrom('invitations').select('makes_admin').where('secret_hash', '=', hash).executeTakeFirst()

test('[C-246] an invitation is a link that is good for seven days', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const { response, url, expiresAt, secret, hash } = await invited(ada, {})
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(url).toBe(`http://patchbay.localhost/welcome?invitation=${secret}`)
  expect(expiresAt).toBe('2026-01-08T00:00:00.000Z')
  expect(await find(node, hash)).toEqual({ makes_admin: false })
  const forAdmin = await invited(ada, { makes_admin: true })
  expect(await find(node, forAdmin.hash)).toEqual({ makes_admin: true })
  expect(await dumpTables(node.db)).not.toContain(secret)
  expect(node.lines.join('\n')).not.toContain(secret)
})

test('[C-248] an administrator who is disabled has no invitations left, and makes none', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const eve = await node.signedIn('eve', { isAdmin: true })
  const { hash: kept } = await invited(ada, {})
  const { hash: ended } = await invited(eve, { makes_admin: true })
  await setDisabled(node.deps, 'eve', true)
  expect(await find(node, ended)).toBeUndefined()
  expect(await find(node, kept)).toBeDefined()
  await expect(invite(node.deps, eve, true)).rejects.toMatchObject({ code: 'sign_in_required' })
})

deepTest('[C-248] no invitation slips past while the account is being disabled', async () => {
  await using node = await startIdentity()
  await node.signedIn('ada', { isAdmin: true })
  for (let round = 0; round < 8; round += 1) {
    const eve = await node.signedIn('eve', { isAdmin: true })
    const inviting = Array.from({ length: 24 }, () => invite(node.deps, eve, true))
    const disabling = inviting[round]?.then(() => setDisabled(node.deps, 'eve', true))
    await Promise.all([disabling, Promise.allSettled(inviting)])
    expect(await node.db.selectFrom('invitations').select('makes_admin').execute()).toEqual([])
    await setDisabled(node.deps, 'eve', false)
  }
})

test('[C-273] F6: whoever is signed in becomes an administrator with a link for one, once', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const bob = await node.signedIn('bob')
  const secretFor = async (makesAdmin: boolean) => {
    const answer = await ada.change('POST', '/auth/invitations', { makes_admin: makesAdmin })
    return new URL(((await answer.json()) as { url: string }).url).searchParams.get('invitation') ?? ''
  }
  const accept = async (invitation: string) =>
    (await bob.change('POST', '/auth/invitations/accept', { invitation })).status
  const plain = await secretFor(false)
  expect(await accept(plain)).toBe(400)
  expect((await bob.ask('/auth/people')).status).toBe(403)
  const link = await secretFor(true)
  const key = await makeKey(bob)
  const byKey = await node.ask('/auth/invitations/accept', {
    method: 'POST',
    headers: { ...withKey(key).headers, 'content-type': 'application/json' },
    body: JSON.stringify({ invitation: link }),
  })
  expect(byKey.status).toBe(403)
  expect(await accept(link)).toBe(204)
  expect((await bob.ask('/auth/people')).status).toBe(200)
  expect(await accept(link)).toBe(410)
  const check = await bob.change('POST', '/auth/invitations/check', { invitation: plain })
  expect(check.status).toBe(200)
})
