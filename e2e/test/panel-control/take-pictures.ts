// The pictures of a proxied page and of the 3D viewer, taken anew: `node e2e/test/panel-control/take-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { makeWorkspace, panelNamed, type Workspace } from '../workspace-pages/workspace.ts'
import { boardModel } from './board-model.ts'
import { startLoopbackSite } from './loopback-site.ts'
import { PROXY_SETTINGS } from './proxy-settings.ts'
import { stepCase } from './step-case.ts'
import { startUnframedSite } from './unframed-site.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
] as const
const DATASHEET = `<style>body { margin: 2rem; font: 1rem/1.6 system-ui; color: #1d2733; background: #fffdf6 }
table { border-collapse: collapse } th, td { padding: .5rem 1rem; border: 1px solid #c9bfa0; text-align: left }</style>
<p>This site tells browsers that nobody may frame it. Through the proxy the workspace shows it all the same: the server fetches
the page, without anything of yours, and hands it on from an address of its own.</p>
<table><tr><th>Forward voltage<td>3.1 V<tr><th>Current<td>20 mA<tr><th>Viewing angle<td>120°<tr><th>Color<td>warm white,
2,700 K<tr><th>Dimming<td>by pulses, 1 kHz</table><p>Solder at 260 °C for at most five seconds.</p>`

await using browser = await startChromium({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
})
await using postgres = await startPostgres()
await using unframed = await startUnframedSite(DATASHEET)
await using models = await startLoopbackSite((_request, response) =>
  response.writeHead(200, { 'content-type': 'model/gltf+json' }).end(boardModel()),
)
await using site = await startSite({
  databaseUrl: await postgres.createDatabase('pictures'),
  environment: PROXY_SETTINGS,
})
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })

const datasheet = await makeWorkspace({ site }, ada, 'ada', 'datasheet')
const { panelId } = await datasheet.add('webview', {
  displayName: 'Through the proxy',
  initialState: { url: unframed.url, isProxyEnabled: true },
})
await datasheet.add('webview', {
  panelId,
  direction: 'right',
  displayName: 'Directly',
  initialState: { url: unframed.url },
})
const board = await makeWorkspace({ site }, ada, 'ada', 'board')
await board.add('viewer-3d', { initialState: { url: `${models.url}night-lamp.gltf` } })
const enclosure = await makeWorkspace({ site }, ada, 'ada', 'enclosure')
await enclosure.write('cad/case.step', stepCase())
await enclosure.add('viewer-3d', { initialState: { path: 'cad/case.step', hidden: ['Front wall'] } })
const cut = await makeWorkspace({ site }, ada, 'ada', 'cut')
await cut.write('cad/case.step', stepCase())
await cut.add('viewer-3d', {
  initialState: { path: 'cad/case.step', hidden: ['Front wall'], section: { axis: 'x', position: 0.5 } },
})

interface Scene {
  readonly workspace: Workspace
  /** Leads a page to the state that the picture shows. */
  readonly show: (page: Page) => Promise<void>
}

const SCENES: Record<string, Scene> = {
  proxy: {
    workspace: datasheet,
    show: async (page) => {
      await panelNamed(page, 'Through the proxy')
        .frameLocator('iframe')
        .frameLocator('iframe')
        .getByRole('heading')
        .waitFor()
      await panelNamed(page, 'Directly').locator('iframe').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  viewer: {
    workspace: board,
    show: async (page) => {
      await panelNamed(page, '3D viewer')
        .getByText(/triangles/)
        .waitFor()
    },
  },
  'viewer-parts': {
    workspace: enclosure,
    show: async (page) => {
      const viewer = panelNamed(page, '3D viewer')
      await viewer.getByText(/triangles/).waitFor()
      await viewer.getByRole('button', { name: 'Parts', exact: true }).click()
      await viewer.getByRole('treeitem', { name: 'Controller' }).click()
    },
  },
  'viewer-section': {
    workspace: cut,
    show: async (page) => {
      const viewer = panelNamed(page, '3D viewer')
      await viewer.getByText(/triangles/).waitFor()
      await viewer.getByRole('button', { name: 'Measure', exact: true }).click()
      const stage = viewer.getByRole('application')
      const { width = 0, height = 0 } = (await stage.boundingBox()) ?? {}
      // On the board, left of the cut.
      const least = Math.min(width, height)
      for (const [x, y] of [
        [-0.24, 0.03],
        [-0.11, -0.02],
      ] as const)
        await stage.click({ position: { x: width / 2 + x * least, y: height / 2 + y * least } })
      await viewer.getByText(/ΔX/).waitFor()
    },
  },
}

for (const { look, options } of LOOKS) {
  for (const [name, { workspace, show }] of Object.entries(SCENES)) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await signIn(site, page, ada)
    await page.goto(site.url + workspace.path)
    await show(page)
    await screenshot(page, join(FOLDER, `workspace-${name}-${look}.png`))
    await page.context().close()
  }
}
