import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { panelNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { startAgent } from './agent.ts'
import { startHuntingSite } from './hunting-site.ts'

// As on a desktop, where sandboxed frames have processes of their own.
const bench = useWorkspaces({ chromium: { args: ['--site-per-process'] } })
/** Rounds in which the page has looked for the code, and the code for the page. */
const HUNTS = depth({ common: 2, deep: 100 })

/** Tells what it knows to every frame that it finds, and to every one that finds it. */
const PREY = `
  document.write('<p>Written anew</p>')
  window.name = 'prey'
  const tell = (frame, depth) => {
    try { frame.postMessage('a secret of the sandbox', '*') } catch {}
    for (let i = 0; depth < 4 && i < Math.min(frame.length, 20); i += 1) tell(frame[i], depth + 1)
  }
  addEventListener('message', ({ source }) => { try { source.postMessage('a secret that was asked for', '*') } catch {} })
  setInterval(() => {
    tell(top, 0)
    try { tell(window.open('', 'hunter'), 3) } catch {}
    try { tell(top.hunter, 3) } catch {}
  }, 50)
  0`

test('[W-335] S2: code and a page in a neighboring web view do not find each other', {
  timeout: 120_000,
}, async () => {
  await using site = await startHuntingSite()
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  await workspace.add('webview', { panelId, direction: 'right', initialState: { url: site.url } })
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace, {
    expectedFaults: [/Unsafe attempt to initiate navigation|Blocked opening/],
  })
  const { page } = visit
  await panelNamed(page, 'Web view')
    .frameLocator('iframe')
    .frameLocator('iframe')
    .getByText('Hunting')
    .waitFor()
  expect(await agent.outcome({ panelId, code: PREY })).toMatchObject({ status: 'executed', result: 0 })
  const before = site.hunts()
  await expect.poll(() => site.hunts(), { timeout: 30_000 }).toBeGreaterThan(before + HUNTS)
  expect(site.heard).toEqual([])

  // The same two in frames of a plain page: what keeps them apart above is not this test.
  const plain = await page.context().newPage()
  await plain.setContent(
    `<iframe src="${site.url}"></iframe><iframe sandbox="allow-scripts" srcdoc="<script>${PREY.replaceAll('"', '&quot;')}</script>"></iframe>`,
  )
  await expect.poll(() => site.heard, { timeout: 30_000 }).not.toEqual([])
  await plain.close()
})
