import { createHmac, generateKeyPairSync } from 'node:crypto'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { importPKCS8, SignJWT } from 'jose'
import { expect } from 'vitest'
import { deleteEnded } from '../../src/housekeeping.store.ts'
import { isAllowed } from '../../src/keys/permission.store.ts'
import { dumpTables } from '../session-list/dump.ts'
import { startIdentityNode } from '../start.ts'
import { JOB, outcomeOf, startWithCi, TRUST } from './with-ci.ts'

const MINUTE_MS = 60_000
const refused = (reason: string) => [403, 'ci_token_refused', reason]

deepTest(
  '[C-300] a job of the named repository and branch gets a key for the one package, for 15 minutes',
  async () => {
    await using it = await startWithCi()
    await it.trust()
    const response = await it.exchange(await it.tokenOf())
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { key, ...told } = (await response.json()) as { key: string }
    expect([response.status, told]).toEqual([
      201,
      { scopes: ['packages:ada/com.example.lamp'], expires_at: '2026-01-01T00:15:00.000Z' },
    ])
    const who = await it.node.authentication.requirePrincipal({ headers: { 'x-api-key': key } })
    const may = (repo: string, owner = 'ada') => isAllowed(it.node, who, 'packages', owner, repo, 'write')
    expect([
      await may('com.example.lamp'),
      await may('com.example.other'),
      await may('com.example.lamp', 'grace'),
    ]).toEqual([true, false, false])
    expect(await isAllowed(it.node, who, 'panels', 'ada', 'com.example.lamp', 'write')).toBe(false)
    expect(who.credential.provenance).toEqual({
      service: 'Example CI',
      repository: 'acme/lamp',
      ref: 'refs/heads/main',
      commit: 'a'.repeat(40),
      workflow: 'acme/lamp/.github/workflows/release.yml@refs/heads/main',
      run_url: `${it.ci.issuer}/acme/lamp/actions/runs/99`,
    })
    it.node.clock.advance(15 * MINUTE_MS)
    expect((await it.node.ask('/auth/whoami', { headers: { 'x-api-key': key } })).status).toBe(401)
  },
)

test('[C-304] forged tokens are refused: another key, none, a public key as a secret, audience, issuer, age, claims', async () => {
  await using it = await startWithCi()
  await using stranger = await startOidcProvider()
  await it.trust()
  const good = await it.tokenOf()
  const [head = '', body = ''] = good.split('.')
  const now = Math.floor(it.node.clock.now().getTime() / 1_000)
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }
  const own = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
  const ownKey = await importPKCS8(own.export({ format: 'pem', type: 'pkcs8' }) as string, 'RS256')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, string>
  const keys = await (await fetch(`${it.ci.issuer}/jwks`)).text()
  const secretHead = encode({ alg: 'HS256', kid, typ: 'JWT' })
  const forged: Record<string, string> = {
    'another key under the name of the right one': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(ownKey),
    'no signature': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'the public key as a secret': `${secretHead}.${body}.${createHmac('sha256', keys).update(`${secretHead}.${body}`).digest('base64url')}`,
    'other claims under the right signature': good.replace(
      body,
      encode({ ...claims, repository: 'mallory/lamp' }),
    ),
    'for another server': await it.tokenOf({}, 'https://elsewhere.example'),
    'of another issuer': await stranger.signJobToken('http://patchbay.localhost', {
      ...JOB,
      iat: now,
      exp: now + 60,
    }),
    'of another issuer in the name of the right one': await stranger.signJobToken(
      'http://patchbay.localhost',
      {
        ...JOB,
        iss: it.ci.issuer,
        iat: now,
        exp: now + 60,
      },
    ),
    expired: await it.tokenOf({ iat: now - 600, exp: now - 60 }),
    'not valid yet': await it.tokenOf({ nbf: now + 600 }),
    'without an id': await it.tokenOf({ jti: undefined }),
    'without a repository': await it.tokenOf({ repository: undefined }),
    'with a repository that nobody could read': await it.tokenOf({ repository: 'acme/\u202elamp' }),
    'no token': 'a.b.c',
    nothing: '',
  }
  const outcomes: Record<string, unknown> = {}
  for (const [name, token] of Object.entries(forged))
    outcomes[name] = await outcomeOf(await it.exchange(token))
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(forged).map((name) => [name, refused('token')])))
  expect(await outcomeOf(await it.exchange(good))).toBe(201)
})

test('[C-305][C-306][C-307] a refused job is told what did not fit', async () => {
  await using it = await startWithCi()
  await it.trust({ workflow: '.github/workflows/release.yml', environment: 'release', ref: 'refs/tags/v*' })
  const tag = { ref: 'refs/tags/v1.2', environment: 'release' }
  const cases: readonly (readonly [Record<string, unknown>, Record<string, unknown>, unknown])[] = [
    [tag, {}, 201],
    [tag, { identifier: 'com.example.other' }, refused('publisher')],
    [tag, { owner: 'grace' }, refused('publisher')],
    [{ ...tag, repository: 'mallory/lamp' }, {}, refused('repository')],
    [{ ...tag, repository: 'acme/lamp-2' }, {}, refused('repository')],
    [{ ...tag, ref: 'refs/heads/main' }, {}, refused('ref')],
    [{ ...tag, ref: 'refs/heads/refs/tags/v1' }, {}, refused('ref')],
    [
      { ...tag, workflow_ref: 'acme/lamp/.github/workflows/other.yml@refs/tags/v1.2' },
      {},
      refused('workflow'),
    ],
    [{ ...tag, workflow_ref: 'mallory/x/.github/workflows/release.yml@v1' }, {}, refused('workflow')],
    [{ ...tag, environment: 'test' }, {}, refused('environment')],
    [{ ...tag, environment: undefined }, {}, refused('environment')],
    [{ ...tag, event_name: 'pull_request_target' }, {}, refused('event')],
    [{ ...tag, event_name: 'workflow_run' }, {}, refused('event')],
    [
      {
        ...tag,
        repository: 'Acme/Lamp',
        workflow_ref: 'Acme/Lamp/.github/workflows/release.yml@refs/tags/v1.2',
      },
      {},
      201,
    ],
  ]
  for (const [claims, what, expected] of cases)
    expect([claims, what, await outcomeOf(await it.exchange(await it.tokenOf(claims), what))]).toEqual([
      claims,
      what,
      expected,
    ])
})

test('[C-308] a repository that was made again under the same name is refused', async () => {
  await using it = await startWithCi()
  const first = await it.trust()
  const again = async (repository_id: unknown) =>
    outcomeOf(await it.exchange(await it.tokenOf({ repository_id })))
  expect(await again('4711')).toBe(201)
  expect(await again('4712')).toEqual(refused('repository'))
  expect(await again('4711')).toBe(201)
  await it.ada.change('DELETE', `/auth/trusted-publishers/${first}`)
  await it.trust()
  expect(await again('4712')).toBe(201)
})

test('[C-309] a token is good for one key per package, also on two nodes at once', async () => {
  await using it = await startWithCi()
  await using other = await startIdentityNode({
    databaseUrl: it.node.databaseUrl,
    clock: it.node.clock,
    node: 'test-2',
    settings: it.node.deps.settings,
  })
  await it.trust()
  await it.trust({ identifier: 'com.example.shade' })
  const token = await it.tokenOf()
  const body = JSON.stringify({ token, owner: TRUST.owner, identifier: TRUST.identifier })
  const ask = ({ url }: { readonly url: string }) =>
    fetch(`${url}/auth/trusted-publishers/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'patchbay.localhost' },
      body,
    })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask(index % 2 === 0 ? it.node : other)),
  )
  const outcomes = await Promise.all(answers.map(outcomeOf))
  expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome !== 201)).toEqual(
    Array.from({ length: 7 }, () => refused('used')),
  )
  expect(await outcomeOf(await it.exchange(token, { identifier: 'com.example.shade' }))).toBe(201)
})

test('[C-301] what its person may no longer do, no job may', async () => {
  await using it = await startWithCi()
  await it.ada.change('POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  const grace = await it.node.signedIn('grace')
  await it.ada.change('PUT', '/auth/organizations/acme/members/grace', { role: 'maintainer' })
  const added = await grace.change('POST', '/auth/trusted-publishers', { ...TRUST, owner: 'acme' })
  expect(added.status).toBe(201)
  const ask = async () => outcomeOf(await it.exchange(await it.tokenOf(), { owner: 'acme' }))
  expect(await ask()).toBe(201)
  await it.ada.change('PUT', '/auth/organizations/acme/members/grace', { role: 'member' })
  expect(await ask()).toEqual(refused('publisher'))
  await it.ada.change('PUT', '/auth/organizations/acme/members/grace', { role: 'maintainer' })
  expect(await ask()).toBe(201)
  const root = await it.node.signedIn('root', { isAdmin: true })
  expect((await root.change('PATCH', '/auth/people/grace', { is_disabled: true })).status).toBeLessThan(300)
  expect(await ask()).toEqual(refused('publisher'))
})

test('[C-303] removing a trusted publisher ends its keys', async () => {
  await using it = await startWithCi()
  const id = await it.trust()
  const { key } = (await (await it.exchange(await it.tokenOf())).json()) as { key: string }
  const whoami = async () => (await it.node.ask('/auth/whoami', { headers: { 'x-api-key': key } })).status
  expect(await whoami()).toBe(200)
  expect((await it.ada.change('DELETE', `/auth/trusted-publishers/${id}`)).status).toBe(204)
  expect(await whoami()).toBe(401)
  expect(await outcomeOf(await it.exchange(await it.tokenOf()))).toEqual(refused('publisher'))
})

test('[C-310][C-312] keys of jobs are in no list, end, and leave nothing behind; no token is kept or logged', async () => {
  await using it = await startWithCi()
  await it.trust()
  const token = await it.tokenOf()
  const { key } = (await (await it.exchange(token)).json()) as { key: string }
  expect(await (await it.ada.ask('/auth/keys')).json()).toEqual({ items: [] })
  const kept = (await dumpTables(it.node.db)) + it.node.lines.join('\n')
  for (const part of token.split('.')) expect(kept).not.toContain(part)
  expect(kept).not.toContain(key.slice(10))
  it.node.clock.advance(25 * 60 * MINUTE_MS)
  expect(await deleteEnded(it.node.db, it.node.clock.now(), it.node.deps.log)).toBeGreaterThanOrEqual(2)
  const left = await it.node.db.selectFrom('api_keys').select('id').execute()
  expect([left, await it.node.db.selectFrom('used_ci_tokens').selectAll().execute()]).toEqual([[], []])
})

test('[C-310] one trusted publisher has at most 50 keys at once', async () => {
  await using it = await startWithCi()
  const id = await it.trust()
  const { person_id } = await it.node.db
    .selectFrom('trusted_publishers')
    .select('person_id')
    .executeTakeFirstOrThrow()
  const expires_at = new Date(it.node.clock.now().getTime() + MINUTE_MS)
  const key = (index: number) => ({
    person_id,
    name: 'x',
    prefix: 'pbk_',
    key_hash: Buffer.from(String(index)),
    scopes: [],
    created_at: it.node.clock.now(),
    expires_at,
    publisher_id: id,
  })
  await it.node.db
    .insertInto('api_keys')
    .values(Array.from({ length: 50 }, (_, index) => key(index)))
    .execute()
  expect((await it.exchange(await it.tokenOf())).status).toBe(429)
  it.node.clock.advance(MINUTE_MS)
  expect((await it.exchange(await it.tokenOf())).status).toBe(201)
})

test('[C-311] a service that is away is said to be, and works again when it is back', async () => {
  await using it = await startWithCi()
  await it.trust()
  const { port } = new URL(it.ci.issuer)
  const token = await it.tokenOf()
  await it.ci[Symbol.asyncDispose]()
  expect(await outcomeOf(await it.exchange(token))).toEqual([502, 'issuer_unavailable'])
  await using back = await startOidcProvider({ port: Number(port) })
  const iat = Math.floor(it.node.clock.now().getTime() / 1_000)
  const fresh = await back.signJobToken('http://patchbay.localhost', { ...JOB, iat, exp: iat + 60 })
  expect(await outcomeOf(await it.exchange(fresh))).toBe(201)
})
