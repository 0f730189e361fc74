import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import type { Requester } from '../../src/accounts/person-lock.store.ts'
import { addPasskey, removePasskey } from '../../src/passkeys/passkey.store.ts'
import { codeOf, Visitor } from '../accounts/visitor.ts'
import type { Browser } from '../browser.ts'
import { afterEndOfAccess } from '../people/end-of-access.ts'
import { type IdentityNode, startIdentity } from '../start.ts'
import { type Device, startDevices } from './device.ts'
import {
  assertion,
  change,
  ORIGIN,
  optionsFrom,
  passkeysOf,
  signIn,
  signUp,
  signUpOptions,
} from './journeys.ts'

let devices: Awaited<ReturnType<typeof startDevices>>
beforeAll(async () => {
  devices = await startDevices()
})

const refusal = async (response: Response) => [response.status, await codeOf(response)]

async function addFrom(visitor: Visitor, device: Device, label: string): Promise<Response> {
  const options = await optionsFrom(await change(visitor, 'POST', '/auth/passkeys/options'))
  const credential = await device.create(options)
  return await change(visitor, 'POST', '/auth/passkeys', { credential, label })
}

function visitorOf(node: IdentityNode, { cookie }: Browser): Visitor {
  const visitor = new Visitor(node)
  const [name = '', value = ''] = cookie.split('=')
  visitor.setCookie(name, value)
  return visitor
}

/** As many more passkeys as that, straight into the table. */
async function fill(node: IdentityNode, owner: Requester, count: number): Promise<string[]> {
  const ids = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await addPasskey(node.db, madeUp(`${owner.personId} ${index}`), owner, {
      label: `Key ${index}`,
      now: node.clock.now(),
    })
    ids.push(id)
  }
  return ids
}

const madeUp = (name: string) => ({
  credentialId: Buffer.from(name),
  publicKey: Buffer.from('a key'),
  counter: 0,
  transports: ['usb'],
  isSynced: true,
})

test('[C-166] a person adds a passkey of another device, names it, and signs in with it', async () => {
  await using node = await startIdentity()
  await using first = await devices.at(ORIGIN)
  await using second = await devices.at(ORIGIN)
  const visitor = await signUp(node, first, 'ada')
  node.clock.advance(1_000)
  const added = await addFrom(visitor, second, 'Phone')
  expect(added.status).toBe(201)
  expect(await added.json()).toMatchObject({ label: 'Phone', last_used_at: null, is_synced: false })
  expect((await passkeysOf(visitor)).map(({ label }) => label)).toEqual(['Passkey', 'Phone'])

  const elsewhere = new Visitor(node)
  expect((await signIn(elsewhere, await assertion(elsewhere, second))).status).toBe(200)
  expect(await elsewhere.whoAmI()).toBe('ada')
})

deepTest('[C-166] a device that has a passkey of the person is not asked for another', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  const visitor = await signUp(node, device, 'ada')
  const [held] = await device.credentials()
  const options = await optionsFrom(await change(visitor, 'POST', '/auth/passkeys/options'))
  expect(options['excludeCredentials']).toEqual([
    {
      id: Buffer.from(held?.credentialId ?? '', 'base64').toString('base64url'),
      type: 'public-key',
      transports: ['internal'],
    },
  ])
  await expect(device.create(options)).rejects.toThrow('InvalidStateError')
})

test('[C-167] the 21st passkey is refused, at its beginning and at its end', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  const ada = await node.signedIn('ada')
  const visitor = visitorOf(node, ada)
  await fill(node, ada, 19)
  const options = await optionsFrom(await change(visitor, 'POST', '/auth/passkeys/options'))
  await addPasskey(node.db, madeUp('the 20th'), ada, { label: 'Last', now: node.clock.now() })
  const credential = await device.create(options)
  const late = await change(visitor, 'POST', '/auth/passkeys', { credential, label: 'One more' })
  expect(await refusal(late)).toEqual([409, 'limit_reached'])
  expect(await refusal(await change(visitor, 'POST', '/auth/passkeys/options'))).toEqual([
    409,
    'limit_reached',
  ])
  expect(await passkeysOf(visitor)).toHaveLength(20)
})

test('[C-167] of many added at once, no more than 20 stay', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  await fill(node, ada, 17)
  const named = { label: 'Key', now: node.clock.now() }
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => addPasskey(node.db, madeUp(`at once ${index}`), ada, named)),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await node.db.selectFrom('passkeys').select('id').execute()).toHaveLength(20)
})

test('[C-249] a passkey that waits while all access is ended is not added', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  const visitor = visitorOf(node, await node.signedIn('bob'))
  const options = await optionsFrom(await change(visitor, 'POST', '/auth/passkeys/options'))
  const credential = await device.create(options)
  const late = await afterEndOfAccess(node, 'bob', () =>
    change(visitor, 'POST', '/auth/passkeys', { credential, label: 'Late' }),
  )
  expect(await refusal(late)).toEqual([401, 'sign_in_required'])
  expect(await node.db.selectFrom('passkeys').select('id').execute()).toEqual([])
})

test('[C-168] the last way in stays; with an issuer or another passkey it may go', async () => {
  await using node = await startIdentity()
  const browser = await node.signedIn('ada')
  const remove = async (id: string) => await browser.change('DELETE', `/auth/passkeys/${id}`)
  const [first = '', second = ''] = await fill(node, browser, 2)
  expect((await remove(first)).status).toBe(204)
  expect(await refusal(await remove(second))).toEqual([409, 'last_way_in'])
  expect(await refusal(await remove(first))).toEqual([404, 'not_found'])

  await node.db
    .insertInto('external_identities')
    .values({
      issuer: 'https://issuer.example',
      subject: 'ada',
      person_id: browser.personId,
      created_at: node.clock.now(),
    })
    .execute()
  expect((await remove(second)).status).toBe(204)
})

test('[C-168] passkeys of others are not found, and stay', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const grace = await node.signedIn('grace')
  await fill(node, ada, 2)
  const [hers = ''] = await fill(node, grace, 2)
  expect(await refusal(await ada.change('DELETE', `/auth/passkeys/${hers}`))).toEqual([404, 'not_found'])
  expect(await node.db.selectFrom('passkeys').select('id').execute()).toHaveLength(4)
})

deepTest(
  '[C-168] of two passkeys that are removed at once, one stays, however the two requests meet',
  async () => {
    await using node = await startIdentity()
    for (let round = 0; round < 25; round += 1) {
      const ada = await node.signedIn(`ada-${round}`)
      const ids = await fill(node, ada, 2)
      const results = await Promise.allSettled(ids.map((id) => removePasskey(node.db, ada, id)))
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const left = await node.db
        .selectFrom('passkeys')
        .select('id')
        .where('person_id', '=', ada.personId)
        .execute()
      expect(left).toHaveLength(1)
    }
  },
)

test('[C-169] ceremonies have cookies of their own, which no other site makes a browser send', async () => {
  await using node = await startIdentity()
  const visitor = new Visitor(node)
  const begin = async (path: string, body?: unknown) =>
    (await visitor.post(path, body)).headers.getSetCookie()
  const strict = (name: string) =>
    expect.stringMatching(
      `^__Host-${name}=[\\w-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=600$`,
    )
  expect(await begin('/auth/passkeys/sign-in/options')).toEqual([strict('patchbay-passkey-sign-in')])
  const body = { handle: 'ada', display_name: 'Ada' }
  expect(await begin('/auth/passkeys/sign-up/options', body)).toEqual([strict('patchbay-passkey-sign-up')])
})

deepTest('[C-169] what was begun as one kind cannot be finished as another', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  const visitor = new Visitor(node)
  await signUpOptions(visitor, { handle: 'ada', display_name: 'Ada' })
  visitor.setCookie(
    '__Host-patchbay-passkey-sign-in',
    visitor.cookies.get('__Host-patchbay-passkey-sign-up') ?? '',
  )
  expect(await refusal(await signIn(visitor, { id: 'AAAA' }))).toEqual([410, 'ceremony_expired'])

  const ada = await signUp(node, device, 'ada')
  const options = await optionsFrom(await change(ada, 'POST', '/auth/passkeys/options'))
  await using second = await devices.at(ORIGIN)
  const credential = await second.create(options)
  const grace = visitorOf(node, await node.signedIn('grace'))
  grace.setCookie('__Host-patchbay-passkey', ada.cookies.get('__Host-patchbay-passkey') ?? '')
  const stolen = await change(grace, 'POST', '/auth/passkeys', { credential, label: 'Mine' })
  expect(await refusal(stolen)).toEqual([410, 'ceremony_expired'])
  expect((await change(ada, 'POST', '/auth/passkeys', { credential, label: 'Mine' })).status).toBe(201)
})

test('[C-172] without a session, an Origin or the CSRF token nothing is listed or changed', async () => {
  await using node = await startIdentity()
  const browser = await node.signedIn('ada')
  const [id = ''] = await fill(node, browser, 2)
  const { cookie, csrf } = browser
  const paths = [
    ['POST', '/auth/passkeys/options'],
    ['DELETE', `/auth/passkeys/${id}`],
  ] as const
  for (const [method, path] of paths) {
    const ask = async (headers: Record<string, string>) =>
      await refusal(await node.ask(path, { method, headers }))
    expect(await ask({ origin: ORIGIN })).toEqual([401, 'sign_in_required'])
    expect(await ask({ cookie, 'x-csrf-token': csrf })).toEqual([403, 'origin_not_allowed'])
    expect(await ask({ cookie, origin: ORIGIN })).toEqual([403, 'csrf_token_required'])
  }
  expect(await refusal(await node.ask('/auth/passkeys'))).toEqual([401, 'sign_in_required'])
  const body = JSON.stringify({ credential: {}, label: 'Mine' })
  const headers = { cookie, origin: ORIGIN, 'content-type': 'application/json' }
  const forged = await node.ask('/auth/passkeys', { method: 'POST', body, headers })
  expect(await refusal(forged)).toEqual([403, 'csrf_token_required'])
  expect(await node.db.selectFrom('passkeys').select('id').execute()).toHaveLength(2)
})
