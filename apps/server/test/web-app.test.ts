import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PAGE_CSP } from '@patchbay/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './start.ts'

const PAGE = { headers: { accept: 'text/html,application/xhtml+xml' } }
let root: string
let server: TestServer

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'patchbay-web-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
  await writeFile(join(root, 'assets', 'app-abc123.js'), 'export {}')
  await writeFile(join(root, 'theme.js'), '0')
  server = await startTestServer({ PATCHBAY_WEB_ROOT: root })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

test.each(['/', '/packages', '/packages/com.example.blinky', '/workspaces/ada/lamp'])(
  '[S-4] %s is the app, under the policy of pages, never cached',
  async (path) => {
    const answer = await server.ask(path, PAGE)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<title>App</title>')
    expect(answer.headers.get('content-security-policy')).toBe(PAGE_CSP)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  },
)

test('[S-4] hashed assets are cached for ever, other files are asked for again', async () => {
  const asset = await server.ask('/assets/app-abc123.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toMatch(/javascript/)
  expect((await server.ask('/theme.js')).headers.get('cache-control')).toBe('no-cache')
})

describe('[S-5] what no person opened gets a problem', () => {
  test.each([
    ['/api/nothing', PAGE],
    ['/auth/nothing', PAGE],
    ['/registry/nothing', PAGE],
    ['/gone.png', PAGE],
    ['/api', PAGE],
    ['/assets/gone-abc.js', PAGE],
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

test('[S-4] without a built app the server says how to get one', async () => {
  await using bare = await startTestServer({ PATCHBAY_WEB_ROOT: join(root, 'nothing') })
  const answer = await bare.ask('/', PAGE)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('pnpm build')
})
