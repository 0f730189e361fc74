import { expect, test, vi } from 'vitest'
import { tolerating } from '../panel-control/tolerating.ts'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { tabNamed } from '../workspace-pages/workspace.ts'
import { startCamera } from './camera.ts'
import { BARS, pictureOf } from './pixels.ts'
import { useCaptures } from './shared-page.ts'

vi.setConfig({ testTimeout: 180_000 })
const bench = useCaptures()

/** Every kind that is built. */
const KINDS = [
  'webview',
  'sandbox',
  'code-editor',
  'script-runner',
  'viewer-3d',
  'system-log',
  'files',
] as const

test('[W-451] C4: the first picture of a tab that was never shown is taken at the first call, of every kind', async () => {
  await using colors = await startPlainPage(BARS)
  const workspace = await bench.make()
  const { id: thirdParty } = (await workspace.callAsOwner(
    'POST',
    `/api/panels/catalog/${workspace.owner.handle}`,
    // It speaks no TLS: the frame shows the browser's own words for that.
    {
      name: 'Colors',
      description: 'Shows colors',
      category: 'Utility',
      url: colors.url.replace('http:', 'https:'),
    },
  )) as { id: string }
  const tabs = new Map<string, string>()
  let panelId: string | undefined
  for (const kind of [...KINDS, thirdParty]) {
    const state = kind === 'webview' ? { initialState: { url: colors.url } } : {}
    const added = await workspace.add(kind, { ...state, ...(panelId !== undefined && { panelId }) })
    ;({ panelId } = added)
    tabs.set(kind, added.tabId)
  }
  await workspace.add('system-log', { panelId, displayName: 'In front' })
  const camera = await startCamera(bench, workspace)
  await using visit = tolerating(await bench.openShared(workspace), /GPU stall due to ReadPixels|ERR_/)
  const taken: Record<string, unknown> = {}
  for (const [kind, tabId] of tabs) {
    // Once, and in the time that a caller has who names none.
    const { status, bytes, body } = await camera.ask(
      { scope: 'panel', tabId, timeoutMs: 10_000 },
      'image/png',
    )
    const { width = 0 } = status === 200 ? pictureOf(bytes) : {}
    taken[kind] = status === 200 && width > 300 ? 'taken' : `${status} ${JSON.stringify(body)}`
  }
  expect(taken).toEqual(Object.fromEntries([...tabs.keys()].map((kind) => [kind, 'taken'])))
  expect(await tabNamed(visit.page, 'In front').getAttribute('aria-selected')).toBe('true')
})
