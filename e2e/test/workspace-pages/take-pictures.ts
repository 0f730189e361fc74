// The pictures of the workspace, taken anew: `node e2e/test/workspace-pages/take-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { startPlainPage } from './plain-page.ts'
import { makeWorkspace, panelNamed, tabNamed, type Workspace } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
] as const
const SCRIPT = `// Blinks once a second, and tells how often it has.
const started = performance.now()

export function blink(lamp, times) {
  for (let count = 0; count < times; count += 1) {
    lamp.toggle()
    console.log('blinked', count + 1, 'of', times)
  }
  return Math.round(performance.now() - started)
}
`

const LAMP = `<style>body { margin: 1.25rem 1.5rem; font: 1rem system-ui; color: #1d2733; background: #f4f7fb }
h1 { margin: 0; font-size: 1.5rem } p { margin: .25rem 0 1rem } svg { width: 10.5rem }</style>
<h1>Night lamp, revision 3</h1><p>Two layers, 42 × 42 mm. The lamp dims itself when it is dark.</p>
<svg viewBox="0 0 100 100" role="img" aria-label="The board"><rect x="4" y="4" width="92" height="92" rx="8" fill="#14603c"/>
<circle cx="50" cy="44" r="20" fill="#ffd34d" stroke="#c8a02a" stroke-width="3"/><path d="M20 80h60M30 80V62M70 80V62M50 80V66"
stroke="#d9a441" stroke-width="3" fill="none"/><g fill="#1b1b1b"><rect x="14" y="70" width="16" height="10"/><rect x="68" y="70" width="18" height="12"/></g>
<g fill="#e8e8e8"><circle cx="12" cy="12" r="3"/><circle cx="88" cy="12" r="3"/><circle cx="12" cy="88" r="3"/><circle cx="88" cy="88" r="3"/></g></svg>`

/** What an agent draws: how bright it was in each hour of a night. */
const CHART = `const levels = [3, 5, 9, 14, 22, 31, 38, 42, 40, 36, 27, 18, 11, 6, 4]
document.body.innerHTML = '<style>body { margin: 1rem 1.5rem; font: .875rem system-ui; color: #1d2733 } div { display: flex; gap: 6px;' +
  'align-items: end; height: 9rem } i { flex: 1; border-radius: 3px 3px 0 0; background: #e8862e }</style><p>Brightness, hour by hour</p><div>' +
  levels.map((level) => '<i style="height:' + (level / 42) * 100 + '%"></i>').join('') + '</div>'
console.log('drew', levels.length, 'hours'); levels.length`

async function drawChart(page: Page, workspace: Workspace, panelId: string): Promise<void> {
  await workspace.call('PATCH', '/api/panels/sandbox/:ref', {
    panelId,
    action: 'eval',
    code: CHART,
    reason: 'So that you see when the lamp is needed',
  })
  const frame = panelNamed(page, 'Sandbox').frameLocator('iframe').frameLocator('iframe')
  await frame.getByText('Brightness').waitFor()
}

/** Leads a page to the state that the picture shows. */
type Scene = (page: Page, workspace: Workspace) => Promise<void>

const SCENES: Record<string, Scene> = {
  panels: async (page, workspace) => {
    await page.frameLocator('iframe').first().frameLocator('iframe').getByText('Night lamp').waitFor()
    const { tabs } = await workspace.current()
    const view = tabs.find(({ kind }) => kind === 'webview')
    await workspace.call('PATCH', '/api/panels/webview/:ref', {
      panelId: view?.panelId,
      action: 'refresh',
      reason: 'The drawing has changed',
    })
    await tabNamed(page, 'Web view').getByText('Nightly agent:').waitFor()
  },
  picker: async (page) => {
    await page.getByRole('button', { name: 'Add panel', exact: true }).click()
    await page.getByRole('button', { name: /^Code editor/ }).waitFor()
  },
  agents: async (page) => {
    await page.getByRole('button', { name: 'Agents' }).click()
    await page.getByRole('button', { name: /^End access/ }).waitFor()
  },
  menu: async (page) => {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menu').waitFor()
  },
  share: async (page, workspace) => {
    await workspace
      .call('PATCH', ':workspace/current/screenshot', {
        scope: 'workspace',
        reason: 'I want to see whether the lamp is drawn as you described it',
      })
      .catch(() => undefined)
    await page.getByRole('dialog').waitFor()
  },
}

await using browser = await startChromium()
await using postgres = await startPostgres()
await using plain = await startPlainPage(LAMP)
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const workspace = await makeWorkspace({ site }, ada, 'ada', 'lamp')
const view = await workspace.add('webview', { initialState: { url: plain.url } })
const code = { text: SCRIPT, fileName: 'blink.js', language: 'javascript' }
const editor = await workspace.add('code-editor', { direction: 'right', initialState: code })
await workspace.add('system-log', { panelId: editor.panelId, direction: 'down' })
const sandbox = await workspace.add('sandbox', { panelId: view.panelId, direction: 'down' })
await workspace.add('code-editor', { panelId: view.panelId, activate: false })
for (const { look, options } of LOOKS) {
  for (const [name, scene] of Object.entries(SCENES)) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await signIn(site, page, ada)
    await page.goto(site.url + workspace.path)
    await tabNamed(page, 'Web view').waitFor()
    await drawChart(page, workspace, sandbox.panelId)
    await scene(page, workspace)
    await screenshot(page, join(FOLDER, `workspace-${name}-${look}.png`))
    await page.context().close()
  }
}
