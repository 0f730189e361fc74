import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import { codeOf, sortedStatuses, Visitor } from '../accounts/visitor.ts'
import { startIdentity } from '../start.ts'
import { type DeviceCredential, type Json, startDevices } from './device.ts'
import { assertion, ORIGIN, signIn, signInOptions, signUp, signUpOptions } from './journeys.ts'
import { signAnswer } from './sign-answer.ts'

let devices: Awaited<ReturnType<typeof startDevices>>
beforeAll(async () => {
  devices = await startDevices()
})

const REFUSED = [403, 'passkey_refused']
const EXPIRED = [410, 'ceremony_expired']
const ADA = { handle: 'ada', display_name: 'Ada' }
const refusal = async (response: Response) => [response.status, await codeOf(response)]

deepTest('[C-162] answers that were made on another origin are refused', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await using other = await devices.at('http://other.patchbay.localhost')
  const visitor = new Visitor(node)
  const made = await other.create(await signUpOptions(visitor, ADA))
  expect(await refusal(await visitor.post('/auth/passkeys/sign-up', { credential: made }))).toEqual(REFUSED)
  expect(await node.db.selectFrom('handles').selectAll().execute()).toEqual([])

  await signUp(node, device, 'ada')
  await other.hold(await device.credentials())
  expect(await refusal(await signIn(visitor, await assertion(visitor, other)))).toEqual(REFUSED)
  expect(await visitor.whoAmI()).toBeNull()
})

test('[C-162] answers for another relying party are refused', async () => {
  const origin = 'http://app.patchbay.localhost'
  await using node = await startIdentity({ settings: { publicUrl: origin } })
  await using device = await devices.at(origin)
  const visitor = new Visitor(node)
  const options = await signUpOptions(visitor, ADA)
  expect(options).toMatchObject({ rp: { id: 'app.patchbay.localhost' } })
  const made = await device.create({ ...options, rp: { id: 'patchbay.localhost', name: 'Patchbay' } })
  expect(await refusal(await visitor.post('/auth/passkeys/sign-up', { credential: made }))).toEqual(REFUSED)

  await device.hold([])
  await signUp(node, device, 'ada')
  const [held] = await device.credentials()
  await device.hold([{ ...(held as DeviceCredential), rpId: 'patchbay.localhost' }])
  const answer = await assertion(visitor, device, (asked) => ({ ...asked, rpId: 'patchbay.localhost' }))
  expect(await refusal(await signIn(visitor, answer))).toEqual(REFUSED)
})

test('[C-163] answers without user verification are refused', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  await device.setUserVerified(false)
  const visitor = new Visitor(node)
  const careless = (asked: Json) => ({ ...asked, userVerification: 'discouraged' })
  expect(await refusal(await signIn(visitor, await assertion(visitor, device, careless)))).toEqual(REFUSED)
})

test('[C-164] an answer signs in once', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  const visitor = new Visitor(node)
  const options = await signInOptions(visitor)
  const answer = await device.get(options)
  const cookie = visitor.cookies.get('__Host-patchbay-passkey-sign-in') ?? ''
  const answers = await Promise.all([signIn(visitor, answer), signIn(visitor, answer)])
  expect(sortedStatuses(answers)).toEqual([200, 410])

  const replay = new Visitor(node)
  replay.setCookie('__Host-patchbay-passkey-sign-in', cookie)
  expect(await refusal(await signIn(replay, answer))).toEqual(EXPIRED)
  await signInOptions(replay)
  expect(await refusal(await signIn(replay, answer))).toEqual(REFUSED)
  expect(await replay.whoAmI()).toBeNull()
})

deepTest.for([
  [599, 200],
  [601, 410],
] as const)('[C-105] an answer after %i s answers %i', async ([seconds, status]) => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  const visitor = new Visitor(node)
  const answer = await assertion(visitor, device)
  node.clock.advance(seconds * 1000)
  expect((await signIn(visitor, answer)).status).toBe(status)
})

test('[C-165] a counter that goes back or stays is refused', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  const copy = await device.credentials()
  const visitor = new Visitor(node)
  expect((await signIn(visitor, await assertion(visitor, device))).status).toBe(200)
  expect((await signIn(visitor, await assertion(visitor, device))).status).toBe(200)
  // Somebody who copied the authenticator before: its counter is behind.
  await device.hold(copy)
  expect(await refusal(await signIn(visitor, await assertion(visitor, device)))).toEqual(REFUSED)
  expect(await refusal(await signIn(visitor, await assertion(visitor, device)))).toEqual(REFUSED)
  expect((await signIn(visitor, await assertion(visitor, device))).status).toBe(200)
})

deepTest('[C-165] of two answers with one count at once, one signs in', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  const copy = await device.credentials()
  const visitors = [new Visitor(node), new Visitor(node)]
  const answers: Json[] = []
  for (const visitor of visitors) {
    await device.hold(copy)
    answers.push(await assertion(visitor, device))
  }
  const responses = await Promise.all(visitors.map((visitor, index) => signIn(visitor, answers[index] ?? {})))
  expect(sortedStatuses(responses)).toEqual([200, 403])
})

deepTest(
  '[C-165] an authenticator that does not count signs in again and again, until it has counted',
  async () => {
    await using node = await startIdentity()
    await using device = await devices.at(ORIGIN)
    await signUp(node, device, 'ada')
    await node.db.updateTable('passkeys').set({ counter: 0 }).execute()
    const [held] = await device.credentials()
    const visitor = new Visitor(node)
    const answerWith = async (counter: number) =>
      await signIn(
        visitor,
        signAnswer(held as DeviceCredential, await signInOptions(visitor), ORIGIN, counter),
      )
    const statuses = []
    for (const counter of [0, 0, 7, 0, 7, 8]) statuses.push((await answerWith(counter)).status)
    expect(statuses).toEqual([200, 200, 200, 403, 403, 200])
  },
)

deepTest('[C-171] what is no answer, and a passkey that nobody has, are refused', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  const visitor = new Visitor(node)
  const changed = (part: Json) => (real: Json) => ({
    ...real,
    response: { ...(real['response'] as Json), ...part },
  })
  const spoil: ((real: Json) => Json)[] = [
    () => ({}),
    () => ({ id: 5 }),
    (real) => ({ ...real, id: 'AAAA', rawId: 'AAAA' }),
    (real) => ({ ...real, response: {} }),
    (real) => ({ ...real, response: 'none' }),
    (real) => ({ ...real, type: 'password' }),
    changed({ signature: 'AAAA' }),
    changed({ userHandle: 'AAAA' }),
    changed({ userHandle: undefined }),
    changed({ authenticatorData: 'AAAA' }),
    changed({ clientDataJSON: 'AAAA' }),
  ]
  for (const change of spoil) {
    const credential = change(await assertion(visitor, device))
    expect(await refusal(await signIn(visitor, credential))).toEqual(REFUSED)
  }
  expect((await signIn(visitor, await assertion(visitor, device))).status).toBe(200)

  const other = { ...ADA, handle: 'grace' }
  for (const change of [
    () => ({}),
    changed({ attestationObject: 'AAAA' }),
    changed({ clientDataJSON: '' }),
  ]) {
    // It has room for three.
    await device.hold([])
    const credential = change(await device.create(await signUpOptions(visitor, other)))
    expect(await refusal(await visitor.post('/auth/passkeys/sign-up', { credential }))).toEqual(REFUSED)
  }
})

test('[C-171] an answer in which the user handle is another person is refused', async () => {
  await using node = await startIdentity()
  await using device = await devices.at(ORIGIN)
  await signUp(node, device, 'ada')
  const [held] = await device.credentials()
  await device.hold([
    { ...(held as DeviceCredential), userHandle: Buffer.from('somebody-else-16').toString('base64') },
  ])
  const visitor = new Visitor(node)
  expect(await refusal(await signIn(visitor, await assertion(visitor, device)))).toEqual(REFUSED)
})
