import { beforeAll, expect, test } from 'vitest'
import { createInvitation } from '../../src/index.ts'
import { codeOf, sortedStatuses, Visitor } from '../accounts/visitor.ts'
import { startIdentity } from '../start.ts'
import { type Json, startDevices } from './device.ts'
import { assertion, ORIGIN, passkeysOf, signIn, signInOptions, signUp, signUpOptions } from './journeys.ts'

let devices: Awaited<ReturnType<typeof startDevices>>
beforeAll(async () => {
  devices = await startDevices()
})

const ADA = { handle: 'ada', display_name: 'Ada Lovelace' }
const refusal = async (response: Response) => [response.status, await codeOf(response)]

test('[C-160] a sign-up makes the account and its passkey, and signs in', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  const visitor = new Visitor(node)
  const options = await signUpOptions(visitor, ADA)
  expect(options).toMatchObject({
    rp: { id: 'patchbay.localhost', name: 'Patchbay' },
    user: { name: 'ada', displayName: 'Ada Lovelace' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: 300_000,
    excludeCredentials: [],
  })
  const credential = await device.create(options)
  const made = await visitor.post('/auth/passkeys/sign-up', { credential })
  expect([made.status, await made.json()]).toEqual([201, { person: { ...ADA, is_admin: false } }])
  expect(await visitor.whoAmI()).toBe('ada')
  expect(await passkeysOf(visitor)).toEqual([
    {
      id: expect.any(String),
      label: 'Passkey',
      created_at: node.clock.now().toISOString(),
      last_used_at: null,
      is_synced: false,
    },
  ])
  const person = await node.db.selectFrom('people').selectAll().executeTakeFirstOrThrow()
  expect(person).toMatchObject({ handle: 'ada', sessions_seen_at: person.created_at, is_admin: false })
  const [held] = await device.credentials()
  expect(Buffer.from(held?.userHandle ?? '', 'base64').toString('hex')).toBe(person.id.replaceAll('-', ''))
})

test('[C-161] a sign-in asks for no name and notes the use', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  node.clock.advance(60_000)
  const visitor = new Visitor(node)
  const options = await signInOptions(visitor)
  expect(options).toMatchObject({ rpId: 'patchbay.localhost', userVerification: 'required' })
  expect(options['allowCredentials'] ?? []).toEqual([])
  const answer = await signIn(visitor, await device.get(options))
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { person: { handle: 'ada', display_name: 'ada', is_admin: false } },
  ])
  expect(await visitor.whoAmI()).toBe('ada')
  expect(await passkeysOf(visitor)).toMatchObject([{ last_used_at: node.clock.now().toISOString() }])
})

test('[C-112] with a passkey somebody new needs open or an invitation', async () => {
  await using node = await startIdentity({ settings: { signUp: 'issuer' } })
  await using device = await devices.at(ORIGIN)
  const visitor = new Visitor(node)
  const begin = async (invitation?: string) =>
    await visitor.post(
      '/auth/passkeys/sign-up/options',
      invitation === undefined ? ADA : { ...ADA, invitation },
    )
  expect(await refusal(await begin())).toEqual([403, 'sign_up_closed'])
  expect(await refusal(await begin('x'.repeat(43)))).toEqual([410, 'invitation_invalid'])

  const { secret } = await createInvitation(node.deps, { makesAdmin: true, createdBy: null, ttlSeconds: 600 })
  const credential = await device.create(await signUpOptions(visitor, { ...ADA, invitation: secret }))
  const made = await visitor.post('/auth/passkeys/sign-up', { credential })
  expect(await made.json()).toEqual({ person: { ...ADA, is_admin: true } })
  expect(await refusal(await begin(secret))).toEqual([410, 'invitation_invalid'])
})

test('[C-107] of two passkey sign-ups for one handle, one wins and the other leaves nothing', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  const visitors = [new Visitor(node), new Visitor(node)]
  const credentials: Json[] = []
  for (const visitor of visitors) credentials.push(await device.create(await signUpOptions(visitor, ADA)))
  const answers = await Promise.all(
    visitors.map((visitor, index) =>
      visitor.post('/auth/passkeys/sign-up', { credential: credentials[index] }),
    ),
  )
  expect(sortedStatuses(answers)).toEqual([201, 409])
  for (const table of ['handles', 'people', 'passkeys', 'sessions'] as const) {
    expect(await node.db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  }
  expect(await refusal(await new Visitor(node).post('/auth/passkeys/sign-up/options', ADA))).toEqual([
    409,
    'handle_taken',
  ])
})

test('[C-170] a disabled account is told so and gets no session', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  await node.db.updateTable('people').set({ disabled_at: node.clock.now() }).execute()
  const visitor = new Visitor(node)
  expect(await refusal(await signIn(visitor, await assertion(visitor, device)))).toEqual([
    403,
    'account_disabled',
  ])
  expect(await visitor.whoAmI()).toBeNull()
})
