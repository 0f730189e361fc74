import { expect, test } from 'vitest'
import { files, rowNamed, soon } from '../workspace-pages/files.ts'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { startAgent } from './agent.ts'

const bench = useWorkspaces()

test('[W-680][D-441] a page of the project shows with what it is made of, and reaches neither us nor anybody else', async () => {
  await using elsewhere = await startPlainPage('<h1>Elsewhere %</h1>')
  const workspace = await bench.make()
  await workspace.write('site/data.json', '{"volts":3.3}')
  await workspace.write('site/look.css', 'h1 { color: rgb(1, 2, 3) }')
  await workspace.write(
    'site/app.mjs',
    `const told = (id, text) => { document.getElementById(id).textContent = text }
     const tried = async (id, act) => told(id, await act().then((value) => 'got ' + value, () => 'refused'))
     await tried('data', async () => (await (await fetch('data.json')).json()).volts)
     await tried('out', async () => (await fetch(${JSON.stringify(elsewhere.url)}, { mode: 'no-cors' })).type)
     await tried('cookie', async () => document.cookie)
     await tried('above', async () => top.document.title)
     told('end', 'done in ' + origin)`,
  )
  await workspace.write(
    'site/index.html',
    `<!doctype html><link rel="stylesheet" href="look.css"><h1>Lamp</h1>
     <p id="data"></p><p id="out"></p><p id="cookie"></p><p id="above"></p><p id="end"></p>
     <img src="${elsewhere.url}" alt=""><script type="module" src="app.mjs"></script>`,
  )
  const { panelId } = await workspace.add('webview')
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace, {
    expectedFaults: [/CSP violation|Content Security Policy/],
  })
  const panel = panelNamed(visit.page, 'Web view')
  const answer = await agent.webview({ panelId, action: 'navigate', url: 'workspace:/site/index.html' })
  expect(answer.status).toBe(204)
  const frame = panel.frameLocator('iframe').frameLocator('iframe')
  await frame.getByText('done in null').waitFor()
  const texts = await frame.locator('p').allInnerTexts()
  expect(texts).toEqual(['got 3.3', 'refused', 'refused', 'refused', 'done in null'])
  expect(await frame.getByRole('heading').evaluate((heading) => getComputedStyle(heading).color)).toBe(
    'rgb(1, 2, 3)',
  )
  expect(await panel.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(
    'workspace:/site/index.html',
  )
  expect(elsewhere.loads()).toBe(0)
})

test('[W-681][W-682] an HTML file is shown in a web view from the Files panel, and by its path in the address bar', async () => {
  const workspace = await bench.make()
  await workspace.write('index.html', '<h1>First</h1>')
  await workspace.write('my docs/other.html', '<h1>Other</h1>')
  await workspace.add('files')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await rowNamed(page, 'index.html').dblclick()
  await files(page).getByRole('button', { name: 'Show in a web view' }).click()
  const panel = panelNamed(page, 'Web view')
  const frame = panel.frameLocator('iframe').frameLocator('iframe')
  await frame.getByRole('heading', { name: 'First' }).waitFor(soon)
  await workspace.write('index.html', '<h1>Second</h1>')
  await frame.getByRole('heading', { name: 'Second' }).waitFor(soon)
  const address = panel.getByRole('textbox', { name: 'Address' })
  await address.fill('/my docs/other.html')
  await address.press('Enter')
  await frame.getByRole('heading', { name: 'Other' }).waitFor(soon)
  await expect.poll(() => address.inputValue(), soon).toBe('workspace:/my%20docs/other.html')
})
