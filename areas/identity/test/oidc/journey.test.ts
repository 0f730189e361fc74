import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { createInvitation } from '../../src/index.ts'
import { codeOf, Visitor } from '../accounts/visitor.ts'
import { callbackAddress, startWithIssuers } from './with-issuer.ts'

const ADA = { handle: 'ada', display_name: 'Ada Lovelace' }

test('[C-130] the start sends the browser away with PKCE, state and nonce, whatever Host says', async () => {
  await using running = await startWithIssuers()
  const response = await running.node.ask('/auth/oidc/company/start?return_to=/account')
  expect(response.status).toBe(303)
  const location = new URL(response.headers.get('location') ?? '')
  expect(location.origin).toBe(running.providers[0]?.issuer)
  expect(Object.fromEntries(location.searchParams)).toEqual({
    client_id: 'patchbay-company',
    response_type: 'code',
    redirect_uri: callbackAddress('company'),
    scope: 'openid profile email',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-patchbay-oidc=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    ),
  ])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
})

test('[C-132] somebody new chooses a handle and is signed in', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  expect(await visitor.signInWith('company', 'ada', { return_to: '/account?tab=keys' })).toBe('/sign-up')
  expect(await visitor.whoAmI()).toBeNull()

  expect(await (await visitor.ask('/auth/sign-up')).json()).toEqual({
    issuer_name: 'The company',
    suggested_handle: 'ada',
    display_name: 'Ada Lovelace',
    return_to: '/account?tab=keys',
  })
  const made = await visitor.post('/auth/sign-up', ADA)
  expect(made.status).toBe(201)
  expect(await made.json()).toEqual({ person: { ...ADA, is_admin: false }, return_to: '/account?tab=keys' })
  expect(await visitor.whoAmI()).toBe('ada')
  expect([...visitor.cookies.keys()]).toEqual(['__Host-patchbay-session'])
})

test('[C-131] somebody known comes back to return_to with a session', async () => {
  await using running = await startWithIssuers()
  const first = new Visitor(running.node)
  await first.signInWith('company', 'ada')
  await first.post('/auth/sign-up', ADA)

  const second = new Visitor(running.node)
  expect(await second.signInWith('company', 'ada', { return_to: '/account?tab=keys#new' })).toBe(
    '/account?tab=keys#new',
  )
  expect(await second.whoAmI()).toBe('ada')
  const people = await running.node.db
    .selectFrom('people')
    .select(['created_at', 'sessions_seen_at'])
    .execute()
  expect(people).toEqual([
    { created_at: running.node.clock.now(), sessions_seen_at: running.node.clock.now() },
  ])
})

test.for(['issuer', 'open'] as const)(
  '[C-112] whom an issuer vouches for may sign up with %s',
  async (signUp) => {
    await using running = await startWithIssuers({ settings: { signUp } })
    const visitor = new Visitor(running.node)
    expect(await visitor.signInWith('company', 'ada')).toBe('/sign-up')
    expect((await visitor.post('/auth/sign-up', ADA)).status).toBe(201)
  },
)

test('[C-133] with invited, somebody new needs an invitation that is good', async () => {
  await using running = await startWithIssuers({ settings: { signUp: 'invited' } })
  const { deps } = running.node
  const visitor = new Visitor(running.node)
  expect(await visitor.signInWith('company', 'ada')).toBe('/sign-in?problem=sign_up_closed')
  expect(await visitor.signInWith('company', 'ada', { invitation: 'x'.repeat(43) })).toBe(
    '/sign-in?problem=invitation_invalid',
  )

  const { secret } = await createInvitation(deps, { makesAdmin: true, createdBy: null, ttlSeconds: 3_600 })
  expect(await visitor.signInWith('company', 'ada', { invitation: secret })).toBe('/sign-up')
  expect(await (await visitor.post('/auth/sign-up', ADA)).json()).toMatchObject({
    person: { is_admin: true },
  })

  const next = new Visitor(running.node)
  expect(await next.signInWith('company', 'grace', { invitation: secret })).toBe(
    '/sign-in?problem=invitation_invalid',
  )
})

deepTest('[C-112] a sign-up that was begun is closed when the policy has changed meanwhile', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  Object.assign(running.node.deps.settings, { signUp: 'invited' })
  const refused = await visitor.post('/auth/sign-up', ADA)
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'sign_up_closed'])
})

test('[C-72] signing in with an issuer ends the session that the browser had when it left', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  await visitor.post('/auth/sign-up', ADA)
  const former = visitor.cookies.get('__Host-patchbay-session') ?? ''
  const callback = await visitor.callbackOf('company', 'ada')
  // A browser does not send the cookie with a redirect from another site: it is Strict.
  visitor.setCookie('__Host-patchbay-session', '')
  expect((await visitor.ask(callback)).headers.get('location')).toBe('/')
  expect(await visitor.whoAmI()).toBe('ada')
  visitor.setCookie('__Host-patchbay-session', former)
  expect(await visitor.whoAmI()).toBeNull()
})

test('[C-142] somebody new in a signed-in browser is not attached to that account', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  await visitor.post('/auth/sign-up', ADA)
  expect(await visitor.whoAmI()).toBe('ada')

  const start = await visitor.start('company')
  const asGrace = new URL(start.headers.get('location') ?? '')
  asGrace.searchParams.set('prompt', 'login')
  const callback = await visitor.passIssuer(asGrace.href, 'grace')
  expect((await visitor.ask(callback)).headers.get('location')).toBe('/sign-up')
  const identities = await running.node.db.selectFrom('external_identities').select('subject').execute()
  expect(identities).toEqual([{ subject: 'ada' }])
  expect(await visitor.whoAmI()).toBe('ada')
})

test('[C-143] a disabled account gets no session', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  await visitor.post('/auth/sign-up', ADA)
  await running.node.db.updateTable('people').set({ disabled_at: running.node.clock.now() }).execute()

  const again = new Visitor(running.node)
  expect(await again.signInWith('company', 'ada')).toBe('/sign-in?problem=account_disabled')
  expect(await again.whoAmI()).toBeNull()
})

deepTest('[C-145] a client with a secret proves itself; with a wrong one nobody is signed in', async () => {
  const secret = 'of : this & client'
  await using right = await startWithIssuers({ secret })
  expect(await new Visitor(right.node).signInWith('company', 'ada')).toBe('/sign-up')

  await using wrong = await startWithIssuers({ secret, configuredSecret: 'of another' })
  expect(await new Visitor(wrong.node).signInWith('company', 'ada')).toBe('/sign-in?problem=issuer_refused')
  expect(wrong.node.lines.join('')).toContain('invalid_client')
  expect(wrong.node.lines.join('')).not.toContain('of another')
})
