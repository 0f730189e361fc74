import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { Visitor } from '../accounts/visitor.ts'
import { callbackAddress, startWithIssuers } from './with-issuer.ts'

const EXPIRED = '/sign-in?problem=ceremony_expired'
const REFUSED = '/sign-in?problem=issuer_refused'

const locationOf = (response: Response) => response.headers.get('location')

test('[C-134] an answer with another state is refused, and the real one still works', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  const callback = await visitor.callbackOf('company', 'ada')
  const forged = new URL(callback)
  forged.searchParams.set('state', 'x'.repeat(43))
  expect(locationOf(await visitor.ask(forged.href))).toBe(EXPIRED)
  forged.searchParams.delete('state')
  expect(locationOf(await visitor.ask(forged.href))).toBe(EXPIRED)
  expect(locationOf(await visitor.ask(callback))).toBe('/sign-up')
})

test('[C-134] an answer in another browser is refused, whichever cookies that browser has', async () => {
  await using running = await startWithIssuers()
  const victim = new Visitor(running.node)
  const attacker = new Visitor(running.node)
  const callback = await attacker.callbackOf('company', 'grace')
  expect(locationOf(await victim.ask(callback))).toBe(EXPIRED)
  await victim.start('company')
  expect(locationOf(await victim.ask(callback))).toBe(EXPIRED)
  victim.setCookie('__Host-patchbay-oidc', 'not a secret at all')
  expect(locationOf(await victim.ask(callback))).toBe(EXPIRED)
  expect(await victim.whoAmI()).toBeNull()
})

test('[C-135] an answer is good for once, also when it comes twice at the same time', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  const callback = await visitor.callbackOf('company', 'ada')
  const cookie = `__Host-patchbay-oidc=${visitor.cookies.get('__Host-patchbay-oidc')}`
  const { pathname, search } = new URL(callback)
  const come = async () => await running.node.ask(pathname + search, { headers: { cookie } })
  const locations = (await Promise.all([come(), come(), come()])).map(locationOf)
  expect(locations.filter((location) => location === '/sign-up')).toHaveLength(1)
  expect(locations.filter((location) => location === EXPIRED)).toHaveLength(2)
  expect(locationOf(await come())).toBe(EXPIRED)
})

test('[C-136] an answer of one issuer at the callback of another signs nobody in', async () => {
  await using running = await startWithIssuers({ ids: ['company', 'other'] })
  const visitor = new Visitor(running.node)
  const callback = await visitor.callbackOf('company', 'ada')
  const mixedUp = callback.replace(callbackAddress('company'), callbackAddress('other'))
  expect(locationOf(await visitor.ask(mixedUp))).toBe(EXPIRED)
  // The code went nowhere and nothing was taken: the real way still works.
  expect(locationOf(await visitor.ask(callback))).toBe('/sign-up')
})

test('[C-136] an answer that names another issuer, or none, is refused', async () => {
  await using running = await startWithIssuers({ ids: ['company', 'other'] })
  const visitor = new Visitor(running.node)
  for (const issuer of [running.providers[1]?.issuer, undefined]) {
    const callback = new URL(await visitor.callbackOf('company', 'ada'))
    if (issuer === undefined) callback.searchParams.delete('iss')
    else callback.searchParams.set('iss', issuer)
    expect(locationOf(await visitor.ask(callback.href))).toBe(REFUSED)
  }
  expect(await visitor.whoAmI()).toBeNull()
})

test.for([
  [599, '/sign-up'],
  [601, EXPIRED],
] as const)('[C-105] an answer after %i s leads to %s', async ([seconds, expected]) => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  const callback = await visitor.callbackOf('company', 'ada')
  running.node.clock.advance(seconds * 1000)
  expect(locationOf(await visitor.ask(callback))).toBe(expected)
})

test.for([
  [599, 201],
  [601, 410],
] as const)('[C-105] a sign-up that is finished after %i s answers %i', async ([seconds, expected]) => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  running.node.clock.advance(seconds * 1000)
  expect((await visitor.ask('/auth/sign-up')).status).toBe(expected === 201 ? 200 : 410)
  const body = { handle: 'ada', display_name: 'Ada' }
  expect((await visitor.post('/auth/sign-up', body)).status).toBe(expected)
})

test('[C-137] what the issuer or a stranger writes into the answer is not in our address', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  const start = await visitor.start('company', { return_to: '/account' })
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const query = new URLSearchParams({
    state,
    iss: running.providers[0]?.issuer ?? '',
    error: 'access_denied',
    error_description: 'Call 555-0100 to get your account back',
  })
  const answer = await visitor.ask(`${callbackAddress('company')}?${query.toString()}`)
  expect(locationOf(answer)).toBe('/sign-in?problem=issuer_refused&return_to=%2Faccount')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(running.node.lines.join('')).toContain('access_denied')
  expect(running.node.lines.join('')).not.toContain('555-0100')
})

test('[C-137] a code that the issuer does not know, and an issuer that we do not know, end on our page', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  const callback = new URL(await visitor.callbackOf('company', 'ada'))
  callback.searchParams.set('code', 'made-up')
  expect(locationOf(await visitor.ask(callback.href))).toBe(REFUSED)
  expect(locationOf(await visitor.start('nobody'))).toBe('/sign-in?problem=not_found')
  expect(locationOf(await visitor.ask(callbackAddress('nobody')))).toBe('/sign-in?problem=not_found')
})

test.for(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\tb', '/%5c%5c evil', ''])(
  '[C-111] a sign-in does not begin with return_to %j',
  async (returnTo) => {
    await using running = await startWithIssuers()
    const response = await new Visitor(running.node).start('company', { return_to: returnTo })
    expect(locationOf(response)).toBe('/sign-in?problem=invalid_request')
    expect(response.headers.getSetCookie()).toEqual([])
  },
)

deepTest('[C-111] return_to is judged again when it is used', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  await visitor.post('/auth/sign-up', { handle: 'ada', display_name: 'Ada' })
  expect(await visitor.signInWith('company', 'ada', { return_to: '/.//evil.example' })).toBe('/')

  const callback = await visitor.callbackOf('company', 'ada')
  await running.node.db
    .updateTable('ceremonies')
    .set((row) => ({
      data: row.fn('jsonb_set', ['data', row.val('{returnTo}'), row.val('"//evil.example"')]) as never,
    }))
    .execute()
  expect(locationOf(await visitor.ask(callback))).toBe('/')
})

test('[C-144] nothing that signs anybody in is in the database in clear, or in the log', async () => {
  await using running = await startWithIssuers({ secret: 'the-secret-of-the-client' })
  const visitor = new Visitor(running.node)
  const callback = await visitor.callbackOf('company', 'ada')
  const code = new URL(callback).searchParams.get('code') ?? ''
  const ceremony = visitor.cookies.get('__Host-patchbay-oidc') ?? ''
  const first = await dump(running.node.db)
  await visitor.ask(callback)
  const signUp = visitor.cookies.get('__Host-patchbay-sign-up') ?? ''
  const second = await dump(running.node.db)
  await visitor.post('/auth/sign-up', { handle: 'ada', display_name: 'Ada' })
  const session = visitor.cookies.get('__Host-patchbay-session') ?? ''
  const seen = [first, second, await dump(running.node.db), ...running.node.lines].join('\n')
  for (const secret of [code, ceremony, signUp, session, 'the-secret-of-the-client']) {
    expect(secret.length).toBeGreaterThan(20)
    expect(seen).not.toContain(secret)
  }
  expect(seen).not.toMatch(/eyJ[\w-]+\.[\w-]+\./)
  expect(seen).not.toMatch(/access_token|id_token/)
})

async function dump(db: Parameters<typeof dumpTable>[0]): Promise<string> {
  const tables = ['ceremonies', 'sessions', 'external_identities', 'people'] as const
  return (await Promise.all(tables.map((table) => dumpTable(db, table)))).join('\n')
}

async function dumpTable(
  db: Awaited<ReturnType<typeof startWithIssuers>>['node']['db'],
  table: 'ceremonies' | 'sessions' | 'external_identities' | 'people',
): Promise<string> {
  const rows = await db.selectFrom(table).selectAll().execute()
  return JSON.stringify(rows, (_key, value: unknown) => asText(value))
}

function asText(value: unknown): unknown {
  const isBuffer = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
  return isBuffer && 'data' in value && Array.isArray(value.data)
    ? Buffer.from(value.data).toString('latin1')
    : value
}

deepTest('[C-137] what is refused before any sign-in begins ends on our page as well', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  const askFor = async (path: string) => {
    const answer = await visitor.ask(path)
    return [answer.status, locationOf(answer)]
  }
  expect(await askFor('/auth/oidc/company/start?return_to=//evil.example')).toEqual([
    303,
    '/sign-in?problem=invalid_request',
  ])
  expect(await askFor('/auth/oidc/Nope!/start')).toEqual([303, '/sign-in?problem=invalid_request'])
  await visitor.start('company')
  expect(await askFor('/auth/oidc/company/callback?state=%00')).toEqual([
    303,
    '/sign-in?problem=ceremony_expired',
  ])
  expect(running.node.lines.join()).not.toContain('unexpected failure')
  let last: unknown[] = []
  for (let count = 0; count < 70; count += 1) last = await askFor('/auth/oidc/company/start')
  expect(last).toEqual([303, '/sign-in?problem=rate_limited'])
})
