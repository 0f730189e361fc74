import { type IncomingHttpHeaders, request } from 'node:http'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { png } from './pictures.ts'
import { startTestViewer, type TestViewer } from './start.ts'

const READING = [
  '/api/viewer',
  '/api/pastes',
  '/api/next-paste?after=0&wait_seconds=60',
  '/metrics',
  '/ready',
  '/openapi.json',
  '/assets/viewer-a1b2.js',
  '/mcp',
  '/nowhere',
]
const PAGES = [
  '/',
  '/screenshot-paste?title=The+error',
  '/reference',
  '/problems',
  '/problems/origin_not_allowed',
]

interface Answered {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
}

/** As a browser asks for a page that it shows: it says whose that is, and no page can change what it says. */
async function askAs({ url }: TestViewer, path: string, site: string, mode: string): Promise<Answered> {
  const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode }
  return await new Promise((resolve, reject) => {
    request(url + path, { headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, headers: answer.headers })
    })
      .once('error', reject)
      .end()
  })
}

test('[E-160] a page of another origin is refused what it could not read either, and takes no place of those who wait', async () => {
  await using viewer = await startTestViewer()
  for (const site of ['cross-site', 'same-site'])
    for (const mode of ['no-cors', 'cors', 'navigate'])
      for (const path of READING)
        expect([path, (await askAs(viewer, path, site, mode)).status]).toEqual([path, 403])
})

deepTest('[E-160] which pictures there are cannot be told from what is refused', async () => {
  await using viewer = await startTestViewer()
  const { optimized } = await viewer.paste(png(4, 4))
  const answers = await Promise.all(
    [optimized.url, '/pastes/missing-4x4.png'].map((path) => askAs(viewer, path, 'cross-site', 'no-cors')),
  )
  for (const { status, headers } of answers) {
    expect(status).toBe(403)
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  }
  // A browser that does not say who asks judges by this header, which must not tell the two apart.
  const { headers } = await viewer.ask('/pastes/missing-4x4.png')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

test('[E-160] a link elsewhere and the frame of a workspace lead to the pages, and only there', async () => {
  await using viewer = await startTestViewer()
  for (const site of ['cross-site', 'same-site'])
    for (const path of PAGES) {
      expect([path, (await askAs(viewer, path, site, 'navigate')).status]).toEqual([path, 200])
      expect([path, (await askAs(viewer, path, site, 'no-cors')).status]).toEqual([path, 403])
    }
})

test('[E-160] our own pages, the person who types an address, and programs are answered', async () => {
  await using viewer = await startTestViewer()
  for (const [site, mode] of [
    ['same-origin', 'cors'],
    ['none', 'navigate'],
  ] as const)
    for (const path of ['/api/viewer', '/screenshot-paste', '/openapi.json'])
      expect((await askAs(viewer, path, site, mode)).status).toBe(200)
  expect((await viewer.ask('/api/viewer')).status).toBe(200)
})
