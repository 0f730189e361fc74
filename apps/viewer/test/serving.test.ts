import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOAD_NONCE_PLACEHOLDER } from '@patchbay/contracts/viewer'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { createWebRoot, nonceOf, startTestViewer } from './start.ts'

test('[VA-4] both pages are one document, never stored, with a nonce of its own each time', async () => {
  await using viewer = await startTestViewer()
  const answers = [
    await viewer.ask('/screenshot-paste'),
    await viewer.ask('/screenshot-paste?title=The+error'),
    await viewer.ask('/'),
  ]
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' http://localhost:8790 http://127.0.0.1:8790",
    )
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
  }
  const [one, two, idle] = await Promise.all(answers.map(async (answer) => nonceOf(await answer.text())))
  expect(one).toMatch(/^[\w-]{22}$/)
  expect(two).toMatch(/^[\w-]{22}$/)
  expect(idle).toMatch(/^[\w-]{22}$/)
  expect(new Set([one, two, idle]).size).toBe(3)
  expect(await (await viewer.ask('/')).text()).not.toContain(UPLOAD_NONCE_PLACEHOLDER)
})

test('[VA-4] what stands in the address reaches no page that is served', async () => {
  await using viewer = await startTestViewer()
  const attack = '"><script>alert(1)</script>'
  const answer = await viewer.ask(`/screenshot-paste?title=${encodeURIComponent(attack)}`)
  expect(await answer.text()).not.toContain('alert')
})

test('[VA-5] built files are served for good; the other documents are not, nor is anything outside', async () => {
  await using viewer = await startTestViewer()
  const script = await viewer.ask('/assets/viewer-a1b2.js', { headers: { 'accept-encoding': 'br' } })
  expect(script.status).toBe(200)
  expect(script.headers.get('content-encoding')).toBe('br')
  expect(await script.text()).toBe('console.log(1)')
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const hidden = [
    '/index.html',
    '/workspace.html',
    '/viewer.html',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/workspace.html',
    '/assets/nothing.js',
    '/assets/',
    '/package.json',
  ]
  for (const path of hidden) {
    const { status } = await viewer.ask(path)
    expect([path, status]).toEqual([path, 404])
  }
})

test('[VA-6] pages that are not built are said to be that, and seen once they are', async () => {
  await using root = await createWebRoot()
  await rm(join(root.path, 'viewer.html'))
  await using viewer = await startTestViewer({ environment: { PATCHBAY_WEB_ROOT: root.path } })
  const missing = await viewer.ask('/')
  expect(missing.status).toBe(503)
  expect(await missing.text()).toContain('pnpm build')
  await writeFile(join(root.path, 'viewer.html'), '<title>built</title>')
  expect(await (await viewer.ask('/')).text()).toContain('built')
})

deepTest('[VA-6] a folder of pages that does not exist yet keeps no viewer from starting', async () => {
  await using viewer = await startTestViewer({ environment: { PATCHBAY_WEB_ROOT: '/nowhere/at/all' } })
  expect((await viewer.ask('/screenshot-paste')).status).toBe(503)
})
