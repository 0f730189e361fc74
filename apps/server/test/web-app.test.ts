import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { PAGE_CSP, STEP_WORKER_CSP, WORKSPACE_CSP } from '@patchbay/contracts/core'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startTestServer, type TestServer } from './start.ts'

const PAGE = { headers: { accept: 'text/html,application/xhtml+xml' } }
let root: string
let server: TestServer

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'patchbay-web-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
  await writeFile(join(root, 'workspace.html'), '<!doctype html><title>Workspace</title>')
  await writeFile(join(root, 'assets', 'app-abc123.js'), 'export {}')
  await writeFile(join(root, 'assets', 'step-worker-abc123.js'), '0')
  await writeFile(join(root, 'theme.js'), '0')
  for (const name of ['index.html', 'assets/app-abc123.js']) {
    const text = await readFile(join(root, name))
    await writeFile(join(root, `${name}.br`), brotliCompressSync(text))
    await writeFile(join(root, `${name}.gz`), gzipSync(text))
  }
  server = await startTestServer({ PATCHBAY_WEB_ROOT: root, PATCHBAY_MEDIA_ORIGINS: 'off' })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

test.each(['/', '/packages', '/packages/com.example.blinky', '/workspaces', '/workspaces/ada'])(
  '[S-4] %s is the app, under the policy of pages, never cached',
  async (path) => {
    const answer = await server.ask(path, PAGE)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<title>App</title>')
    expect(answer.headers.get('content-security-policy')).toBe(PAGE_CSP)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  },
)

test.each(['/workspaces/ada/lamp', '/workspaces/ada/Lamp.v2', '/workspaces/ada/lamp/?x=1'])(
  '[W-250] %s is the document of workspaces, which alone may frame the web and ask to be captured',
  async (path) => {
    const answer = await server.ask(path, PAGE)
    expect(await answer.text()).toContain('<title>Workspace</title>')
    expect(answer.headers.get('content-security-policy')).toBe(WORKSPACE_CSP)
    expect(answer.headers.get('permissions-policy')).toContain('display-capture=(self)')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const other = await server.ask('/workspaces', PAGE)
    expect(other.headers.get('content-security-policy')).not.toContain('frame-src')
    expect(other.headers.get('permissions-policy')).toContain('display-capture=()')
  },
)

test('[W-806] the document of workspaces alone may ask for serial ports; no other page and no frame in it', async () => {
  const policyOf = async (path: string) => {
    const { headers } = await server.ask(path, PAGE)
    return headers.get('permissions-policy')?.split(', ')
  }
  expect(await policyOf('/workspaces/ada/lamp')).toContain('serial=(self)')
  for (const path of ['/', '/workspaces', '/workspaces/ada', '/packages/com.example.blinky'])
    expect(await policyOf(path)).toContain('serial=()')
})

test('[W-250] the policy of workspaces differs in what may be framed and made, not in what may run', () => {
  const directives = (policy: string) => new Map(policy.split('; ').map((part) => [part.split(' ')[0], part]))
  const more = directives(WORKSPACE_CSP)
  for (const [name, directive] of directives(PAGE_CSP)) expect(more.get(name)).toBe(directive)
  expect([...more.keys()].filter((name) => !directives(PAGE_CSP).has(name))).toEqual([
    'frame-src',
    'worker-src',
    'media-src',
  ])
})

test('[W-641] the script that reads STEP files has a policy of its own, and no other file has', async () => {
  const policyOf = async (path: string) => (await server.ask(path)).headers.get('content-security-policy')
  expect(await policyOf('/assets/step-worker-abc123.js')).toBe(STEP_WORKER_CSP)
  expect(await policyOf('/assets/app-abc123.js')).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(`${PAGE_CSP} ${WORKSPACE_CSP}`).not.toContain('eval')
  expect(STEP_WORKER_CSP).toContain("default-src 'none'")
  expect(STEP_WORKER_CSP).not.toMatch(/connect-src|allow-same-origin/)
})

test('[S-4] hashed assets are cached forever, other files are asked for again', async () => {
  const asset = await server.ask('/assets/app-abc123.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toMatch(/javascript/)
  expect((await server.ask('/theme.js')).headers.get('cache-control')).toBe('no-cache')
})

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', null],
])('[S-4] F14: whoever takes %s gets the file as %s', async (accepted, encoding) => {
  for (const path of ['/assets/app-abc123.js', '/packages']) {
    const answer = await server.ask(path, {
      headers: { 'accept-encoding': accepted, accept: path === '/packages' ? PAGE.headers.accept : '*/*' },
    })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    expect(answer.headers.get('content-type')).toMatch(path === '/packages' ? /^text\/html/ : /javascript/)
    expect(answer.headers.get('cache-control')).toMatch(path === '/packages' ? /^no-cache$/ : /immutable$/)
    expect(await answer.text()).toContain(path === '/packages' ? '<title>App</title>' : 'export {}')
  }
})

test('[S-4] whoever has a file in the form that they take is told so, and a HEAD has no body', async () => {
  for (const coding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': coding }
    const first = await server.ask('/assets/app-abc123.js', { headers })
    const tag = first.headers.get('etag') ?? ''
    const again = (known: string) =>
      server.ask('/assets/app-abc123.js', { headers: { ...headers, 'if-none-match': known } })
    expect([(await again(tag)).status, (await again(`"x", W/${tag}`)).status]).toEqual([304, 304])
    expect((await again('"x"')).status).toBe(200)
  }
  const head = await server.ask('/theme.js', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1', ''])
})

describe('[S-5] what no person opened gets a problem', () => {
  test.each([
    ['/api/nothing', PAGE],
    ['/auth/nothing', PAGE],
    ['/registry/nothing', PAGE],
    ['/gone.png', PAGE],
    ['/api', PAGE],
    ['/assets/gone-abc.js', PAGE],
    ['/index.html', PAGE],
    ['/assets/app-abc123.js.br', {}],
    ['/assets', {}],
    ['/packages', {}],
    ['/%2e%2e/%2e%2e/etc/passwd', {}],
  ])('%s', async (path, init) => {
    const answer = await server.ask(path, init)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  test('a wrong method on an address of ours is still a 405', async () => {
    expect((await server.ask('/api/about', { method: 'DELETE' })).status).toBe(405)
  })
})

deepTest('[S-4] without a built app the server says how to get one', async () => {
  await using bare = await startTestServer({ PATCHBAY_WEB_ROOT: join(root, 'nothing') })
  const answer = await bare.ask('/', PAGE)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('pnpm build')
})
