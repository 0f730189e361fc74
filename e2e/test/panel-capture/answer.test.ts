import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capture } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { createCliUser } from '../client/run-cli.ts'
import { refOf } from '../panel-control/agent.ts'
import { startCamera } from './camera.ts'
import { pictureOf } from './pixels.ts'
import { useCaptures } from './shared-page.ts'

const bench = useCaptures()

test('[J-67] the picture is the answer where it is asked for, and else at an address that is good for keys of this workspace alone', async () => {
  const workspace = await bench.make()
  const neighbor = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  const camera = await startCamera(bench, workspace)
  const ref = refOf(workspace)
  await using _visit = await bench.openShared(workspace)

  const direct = await camera.ask({ scope: 'panel', panelId }, 'image/png')
  expect([direct.status, direct.headers.get('content-type')]).toEqual([200, 'image/png'])
  const facts = JSON.parse(direct.headers.get('patchbay-capture') ?? '') as Capture
  const { width, height } = pictureOf(direct.bytes)
  expect(facts).toMatchObject({ scope: 'panel', panelId, width, height, bytes: direct.bytes.length })
  expect(facts.sha256).toBe(createHash('sha256').update(direct.bytes).digest('hex'))

  const { url, expiresAt } = await camera.take({ scope: 'panel', panelId })
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(3_600_000)
  const fetched = await camera.fetch(url)
  expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(fetched.headers.get('cache-control')).toContain('no-store')
  expect(pictureOf(fetched.bytes)).toMatchObject({ width, height })
  expect((await camera.fetch(facts.url)).bytes).toEqual(direct.bytes)

  const own = [`screenshot:${refOf(neighbor)}`, `panels:${refOf(neighbor)}`]
  for (const { key, status } of [
    { key: null, status: 401 },
    { key: 'pk_nobody', status: 401 },
    { key: (await startCamera(bench, neighbor, { scopes: own })).key, status: 403 },
    {
      key: (await startCamera(bench, workspace, { scopes: [`webview:${ref}`, `sandbox:${ref}`] })).key,
      status: 403,
    },
  ]) {
    const stranger = await startCamera(bench, workspace, { key })
    expect((await stranger.fetch(url)).status).toBe(status)
    expect((await stranger.ask({ scope: 'panel', panelId })).status).toBe(status)
  }
  const elsewhere = await startCamera(bench, neighbor)
  const moved = url.replace(ref, refOf(neighbor))
  expect(await elsewhere.fetch(moved)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('[J-69] `patchbay screenshot` saves what the browser shows and prints where', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  const { key } = await startCamera(bench, workspace, { scopes: [`panels:${refOf(workspace)}`] })
  await using visit = await bench.openShared(workspace)
  await using user = await createCliUser({ PATCHBAY_SERVER_URL: bench.site.url, PATCHBAY_API_KEY: key })
  const file = join(user.home, 'board.png')
  const { code, stdout } = await user.run('screenshot', refOf(workspace), '--out', file)
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` })
  const main = await visit.page.locator('main').boundingBox()
  expect(pictureOf(await readFile(file))).toMatchObject({ width: main?.width, height: main?.height })
})
