import { createBench } from '@patchbay/device-kit/simulation'
import { type Browser, openPage, type Page, startChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { complaints, overflowing } from '@patchbay/web/test/complaints'
import { afterAll, beforeAll, expect } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { type Site, startSite } from '../identity-pages/site.ts'
import { type Account, makeAccount, newHandle } from '../installation/accounts.ts'
import { makeWorkspace, panelNamed, type Workspace } from '../workspace-pages/workspace.ts'
import {
  chromiumOnLine,
  missingForLine,
  openSerialLine,
  rememberBoard,
  runOnLine,
  type SerialLine,
} from './serial-line.ts'

const missing = missingForLine()
const soon = { timeout: 20_000 }
const WIDE = { width: 1280, height: 900 }
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Devices of this workspace' })
const boards = (page: Page) => dialog(page).getByRole('region', { name: 'Boards on this computer' })

let site: Site
let ada: Account
const end = new AsyncDisposableStack()
beforeAll(async () => {
  site = end.use(await startSite({ environment: { PATCHBAY_MQTT_PORT: '0' } }))
  ada = await makeAccount(site, newHandle(), { name: 'Ada' })
}, 240_000)
afterAll(() => end.disposeAsync())

async function openDialog(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill('devices')
  await palette.getByRole('option', { name: 'Devices', exact: true }).click()
  await dialog(page).waitFor()
}

interface Visit {
  /** Whether the board was connected before. */
  readonly isKnown: boolean
  readonly expectedFaults?: readonly RegExp[]
  /** Before it is opened. */
  readonly prepare?: (page: Page) => Promise<void>
}

async function openWorkspace(
  browser: Browser,
  workspace: Workspace,
  { isKnown, expectedFaults = [], prepare }: Visit,
) {
  const watched = await openPage(browser, { viewport: WIDE, reducedMotion: 'reduce', expectedFaults })
  const { page } = watched
  page.setDefaultTimeout(15_000)
  if (isKnown) await rememberBoard(page, workspace.path.slice('/workspaces/'.length), 'rig')
  await prepare?.(page)
  await signIn(site, page, ada)
  await page.goto(site.url + workspace.path)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  return watched
}

async function connectBoard(page: Page): Promise<void> {
  await openDialog(page)
  await boards(page).getByRole('button', { name: 'Connect rig' }).click()
  await boards(page).getByRole('listitem').getByText('Connected', { exact: true }).waitFor()
}

interface Rig extends AsyncDisposable {
  readonly line: SerialLine
  readonly page: Page
  readonly workspace: Workspace
}

async function startRig(name: string, visit: Partial<Visit> = {}): Promise<Rig> {
  const stack = new AsyncDisposableStack()
  const workspace = await makeWorkspace({ site }, ada, ada.handle, name)
  const line = stack.use(await openSerialLine())
  const browser = await chromiumOnLine(line, site.url)
  stack.defer(() => browser.close())
  const { page } = stack.use(await openWorkspace(browser, workspace, { isKnown: true, ...visit }))
  return { line, page, workspace, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test.skipIf(missing !== undefined)(
  `[J-120][W-803][W-805] a board is connected, shown, armed, moved, stopped from elsewhere and unplugged${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 180_000 },
  async () => {
    await using rig = await startRig('rig')
    const { line, page, workspace } = rig
    const motor = createBench(7).find((device) => device.name === 'motor')
    if (motor === undefined) throw new Error('the bench has no motor')
    using _running = runOnLine(line, motor)
    await workspace.add('motor-control')
    await connectBoard(page)
    await boards(page).getByRole('button', { name: 'Open panel for rig' }).click()
    await page.getByRole('menuitem').first().click()
    const panel = panelNamed(page, 'Motor control')
    await panel.getByRole('group', { name: 'Speed', exact: true }).first().waitFor()
    await panel.getByText('Not available: arm the device first').first().waitFor()
    expect(line.heard).toEqual([])

    await panel.getByRole('button', { name: 'Arm…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click()
    await panel.getByText(/^Armed by you/).waitFor()
    await panel.getByRole('slider', { name: 'Target speed' }).press('End')
    await expect.poll(() => motor.values()['speed'], soon).toBeGreaterThan(100)
    expect(line.heard.some((each) => each.startsWith('target='))).toBe(true)

    await workspace.callAsOwner('PUT', ':workspace/emergency-stop', {})
    await expect.poll(() => line.heard, soon).toContain('$stop=true')
    await expect.poll(() => Number(motor.values()['speed']), soon).toBeLessThan(10)
    await panel.getByText('Not available: the devices are stopped').first().waitFor()
    await workspace.callAsOwner('DELETE', ':workspace/emergency-stop')
    await expect.poll(() => line.heard, soon).toContain('$stop=false')
    await panel.getByText('Not available: arm the device first').first().waitFor()

    // The server knows nothing of it.
    const { items } = (await workspace.callAsOwner('GET', ':workspace/devices')) as { items: unknown[] }
    expect(items).toEqual([])
    await line[Symbol.asyncDispose]()
    await panel.getByText(/: offline$/).waitFor()
    await panel.getByText('Not available: the device is offline').first().waitFor()
  },
)

deepTest.skipIf(missing !== undefined)(
  '[W-801][W-803][W-804] the console shows lines and sends text; a device of the same name goes before the board; it is forgotten',
  { timeout: 180_000 },
  async () => {
    await using rig = await startRig('console')
    const { line, page, workspace } = rig
    await connectBoard(page)
    await boards(page).getByRole('button', { name: 'Console of rig' }).click()
    line.say('temperature:21.5\nready\n> ')
    const console = boards(page).getByRole('group', { name: 'Console of rig' })
    await console.getByText('temperature:21.5').waitFor()
    await console.getByText('>', { exact: true }).waitFor()
    await console.getByRole('textbox', { name: 'Line to send' }).fill('help')
    await page.keyboard.press('Enter')
    await expect.poll(() => line.heard, soon).toEqual(['help'])
    await boards(page).getByText('1 channel').waitFor()
    for (const width of [WIDE.width, 320]) {
      await page.setViewportSize({ ...WIDE, width })
      expect(await complaints(page)).toEqual([])
      expect(await page.evaluate(overflowing)).toEqual([])
    }
    await page.setViewportSize(WIDE)

    await workspace.callAsOwner('POST', ':workspace/devices', { name: 'rig' })
    await boards(page)
      .getByText(/^A device of this workspace has the same name/)
      .waitFor()
    expect(await console.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await boards(page).getByRole('button', { name: 'Forget rig' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click()
    await boards(page).getByText('No boards yet.').waitFor()
    const kept = await page.evaluate(() => Object.keys(localStorage))
    expect(kept.filter((key) => key.startsWith('patchbay.boards'))).toEqual([])
  },
)

deepTest.skipIf(missing !== undefined)(
  '[W-805] without its connection the page sends nothing but a stop that is pressed there, and says that the boards are stopped',
  { timeout: 180_000 },
  async () => {
    let isCut = false
    let cut = async () => {}
    await using rig = await startRig('cut', {
      expectedFaults: [/emergency-stop/],
      async prepare(page) {
        await page.route(/\/emergency-stop$/, (route) => (isCut ? route.abort() : route.continue()))
        await page.routeWebSocket(/\/api\/workspaces\/socket$/, async (socket) => {
          if (isCut) return await socket.close({ code: 4001 })
          socket.connectToServer()
          cut = () => socket.close({ code: 4001 })
        })
      },
    })
    const { line, page } = rig
    await connectBoard(page)
    line.say('$info={"components":{"lamp":{"platform":"switch","command_topic":true}}}\nlamp=OFF\n')
    await boards(page).getByRole('button', { name: 'Console of rig' }).click()
    const console = boards(page).getByRole('group', { name: 'Console of rig' })
    await console.getByText('lamp=OFF').waitFor()
    const send = console.getByRole('button', { name: 'Send' })
    await expect.poll(() => send.isEnabled()).toBe(true)
    isCut = true
    await cut()
    await console.getByText('Not available: the connection is lost').waitFor()
    expect(await send.isDisabled()).toBe(true)
    expect(line.heard).toEqual([])
    await dialog(page).getByRole('button', { name: 'Emergency stop' }).click()
    await expect.poll(() => line.heard, soon).toContain('$stop=true')
    isCut = false
    await console.getByText('Not available: the devices are stopped').waitFor({ timeout: 30_000 })
    expect(line.heard).not.toContain('$stop=false')
    await boards(page).getByText('The boards on this computer are stopped').waitFor()
    await boards(page).getByRole('button', { name: 'Release…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    await expect.poll(() => line.heard, soon).toContain('$stop=false')
    await expect.poll(() => send.isEnabled()).toBe(true)
  },
)

deepTest('[W-800] a browser without serial ports says which one has them', async () => {
  const workspace = await makeWorkspace({ site }, ada, ada.handle, 'without')
  const browser = await startChromium({ args: ['--disable-blink-features=Serial'] })
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => browser.close())
  await using watched = await openWorkspace(browser, workspace, {
    isKnown: false,
    // It does not know the feature at all.
    expectedFaults: [/Unrecognized feature: 'serial'/],
  })
  await openDialog(watched.page)
  await boards(watched.page)
    .getByText(/Use Chrome or Edge/)
    .waitFor()
  expect(await boards(watched.page).getByRole('button').count()).toBe(0)
})
