import { once } from 'node:events'
import { VIEWER_SOCKET_PATH } from '@patchbay/contracts/viewer'
import { openPage } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startDevelopment } from '@patchbay/web/test/start-development'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { allSaved, useViewers, WIDE } from './bench.ts'
import { choose } from './hands.ts'
import { png } from './pictures.ts'
import { openViewer } from './viewer.ts'

const bench = useViewers()

test('[W-382] pages in development are served beside what a running viewer answers', async () => {
  await using viewer = await openViewer()
  await using development = await startDevelopment({ serverUrl: 'http://127.0.0.1:1', viewerUrl: viewer.url })
  const { origin } = new URL(development.url)
  const page = await fetch(`${origin}/screenshot-paste`, { headers: { accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/src/viewer/main.tsx')])
  expect(await (await fetch(`${origin}/api/viewer`)).json()).toMatchObject({ pages: 0 })
  const line = new WebSocket(`${origin.replace('http', 'ws')}${VIEWER_SOCKET_PATH}`, { origin })
  await once(line, 'open')
  line.terminate()
})

deepTest('[W-382] pages in development work with a running viewer', { timeout: 90_000 }, async () => {
  await using viewer = await openViewer()
  await using development = await startDevelopment({ serverUrl: 'http://127.0.0.1:1', viewerUrl: viewer.url })
  await using visit = await openPage(bench.browser(), { viewport: WIDE })
  const { page } = visit
  await page.goto(`${development.url}screenshot-paste?title=While+it+is+made`, { timeout: 60_000 })
  await page.getByRole('heading', { level: 1, name: 'While it is made' }).waitFor()
  await page.getByText('Active page').waitFor()
  await choose(page, [{ name: 'x.png', bytes: await png(30, 20) }])
  await allSaved(page, 1)
  expect(await viewer.files()).toHaveLength(2)
})
