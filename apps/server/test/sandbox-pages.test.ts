import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 120_000)
afterAll(() => server[Symbol.asyncDispose]())

function directives(policy: string | null): Map<string, string> {
  return new Map(
    (policy ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )
}

test('[D-230] the page around a sandbox runs nothing and frames our own origin alone', async () => {
  const answer = await server.ask('/panels/sandbox-host')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = directives(answer.headers.get('content-security-policy'))
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.has('script-src')).toBe(false)
  expect([policy.get('frame-src'), policy.get('frame-ancestors')]).toEqual(["'self'", "'self'"])
  expect(await answer.text()).toContain(
    '<iframe title="Code" sandbox="allow-scripts" src="/panels/sandbox-frame">',
  )
})

test('[D-231] the page of a sandbox has scripts only, its own one by its hash, and no connection', async () => {
  const answer = await server.ask('/panels/sandbox-frame')
  const html = await answer.text()
  const policy = directives(answer.headers.get('content-security-policy'))
  const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  expect(policy.get('script-src')).toBe(`'unsafe-eval' 'sha256-${hash}'`)
  expect(policy.get('sandbox')).toBe('allow-scripts')
  expect(policy.get('connect-src')).toBe("'none'")
  expect(answer.headers.get('connection-allowlist')).toBe('()')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('permissions-policy')).toContain('camera=()')
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('[D-231] the style of the page around it is the one that its policy names', async () => {
  const answer = await server.ask('/panels/sandbox-host')
  const style = /<style>(.*)<\/style>/s.exec(await answer.text())?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(directives(answer.headers.get('content-security-policy')).get('style-src')).toBe(`'sha256-${hash}'`)
})

test('[D-232] origins that are declared are the ones that the frame may reach', async () => {
  const query = `?${new URLSearchParams({ connect: 'https://a.example,https://b.example:8443' })}`
  const host = await server.ask(`/panels/sandbox-host${query}`)
  expect(await host.text()).toContain(`src="/panels/sandbox-frame${query}"`)
  const frame = await server.ask(`/panels/sandbox-frame${query}`)
  const policy = directives(frame.headers.get('content-security-policy'))
  expect(policy.get('connect-src')).toBe('https://a.example https://b.example:8443')
  expect(frame.headers.get('connection-allowlist')).toBe('("https://a.example" "https://b.example:8443")')
})

test.each([
  'connect=http://a.example',
  'connect=https://a.example/path',
  'connect=*',
  "connect='self'",
  'connect=https://a.example;script-src *',
  'connect=https://a.example%0d%0aset-cookie: x',
  'connect=https://a.example,https://a.example',
  'connect=https://a.example&connect=https://b.example',
  `connect=${Array.from({ length: 11 }, (_, index) => `https://a${index}.example`).join(',')}`,
  'other=1',
])('[D-233] %s is refused', async (query) => {
  for (const path of ['/panels/sandbox-host', '/panels/sandbox-frame']) {
    const answer = await server.ask(`${path}?${query}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_request' })
  }
})
