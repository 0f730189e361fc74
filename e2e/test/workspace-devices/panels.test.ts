import { DEVICES_CHANNEL, type DevicesRequest, type DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_PANEL_KINDS } from '@patchbay/contracts/panels'
import { type Locator, openPage, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { complaints, overflowing } from '@patchbay/web/test/complaints'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { type Site, startSite } from '../identity-pages/site.ts'
import { makeAccount, newHandle, openSession, pageHeaders } from '../installation/accounts.ts'
import { tolerating } from '../panel-control/tolerating.ts'
import { makeWorkspace, panelNamed, type Workspace } from '../workspace-pages/workspace.ts'
import { connectSimulated, type Simulated } from './simulated.ts'

const soon = { timeout: 20_000 }
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 240, height: 700 }
const LOOKS = [
  { colorScheme: 'light', viewport: NARROW },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'dark', viewport: NARROW },
  { colorScheme: 'light', viewport: WIDE },
] as const

let site: Site
let workspace: Workspace
let page: Page
/** What the page has asked to be sent, oldest first. */
const watches: string[][] = []
let isCut = false
let cut: () => Promise<void>
const end = new AsyncDisposableStack()

beforeAll(async () => {
  site = end.use(await startSite({ environment: { PATCHBAY_MQTT_PORT: '0' } }))
  const ada = await makeAccount(site, newHandle(), { name: 'Ada' })
  workspace = await makeWorkspace({ site }, ada, ada.handle, 'bench')
  const visit = end.use(
    // Reading back what software has drawn is slow, and the browser says so now and then.
    tolerating(
      await openPage(await sharedChromium(), {
        viewport: WIDE,
        reducedMotion: 'reduce',
      }),
      /GPU stall due to ReadPixels/,
    ),
  )
  ;({ page } = visit)
  page.setDefaultTimeout(15_000)
  await page.routeWebSocket(/\/api\/workspaces\/socket$/, async (line) => {
    if (isCut) return await line.close({ code: 4001 })
    const server = line.connectToServer()
    line.onMessage((text) => {
      const { channel, message } = JSON.parse(String(text)) as { channel?: string; message: DevicesRequest }
      if (channel === DEVICES_CHANNEL) watches.push(channelsOf(message))
      server.send(text)
    })
    cut = async () => {
      isCut = true
      await line.close({ code: 4001 })
      await server.close({ code: 1000 })
    }
  })
  await signIn(site, page, ada)
  await page.goto(site.url + workspace.path)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
}, 240_000)
afterAll(() => end.disposeAsync())
// Also after a test that has failed in the midst.
afterEach(async () => {
  isCut = false
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
  const { items } = (await workspace.callAsOwner('GET', ':workspace/devices')) as {
    items: { name: string }[]
  }
  for (const { name } of items) await workspace.callAsOwner('DELETE', `:workspace/devices/${name}`)
  for (const { tabId } of (await workspace.current()).tabs)
    await workspace.call('DELETE', `:workspace/current/tabs/${tabId}`)
  await page.getByRole('tab').first().waitFor({ state: 'detached' })
})

function channelsOf({ channels }: DevicesRequest): string[] {
  return channels.map(({ device, channel }) => `${device}/${channel}`).toSorted()
}

const instrument = (panel: Locator, name: string) => panel.getByRole('group', { name, exact: true })

async function arm(panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'Arm…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click()
  await panel.getByText(/^Armed by/).waitFor()
}

const press = (panel: Locator, name: string) => panel.getByRole('button', { name, exact: true }).click()

async function turn(panel: Locator, name: string): Promise<void> {
  await panel.getByRole('switch', { name, exact: true }).press('Space')
}

/** To one end, by the keyboard. */
async function slide(panel: Locator, name: string, key: 'Home' | 'End' | 'PageUp'): Promise<void> {
  await instrument(panel, name).getByRole('slider').press(key)
}

async function choose(panel: Locator, name: string, option: string): Promise<void> {
  await instrument(panel, name).getByRole('button').click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** The device reports what it was asked for. */
async function settled(panel: Locator, name: string): Promise<void> {
  await expect.poll(() => instrument(panel, name).first().innerText(), soon).not.toMatch(/Asked|Sending/)
}

interface Scene {
  readonly title: string
  readonly kind: string
  readonly device: string
  /** The title of the device, which the panel offers. */
  readonly offered: string
  /** An instrument whose words change with the values. */
  readonly live: string
  /** Uses a control. */
  readonly act?: (panel: Locator) => Promise<void>
  /** What the device then is. */
  readonly channel?: string
  readonly becomes?: (value: DeviceValue | undefined) => boolean
}

const SCENES: readonly Scene[] = [
  {
    title: 'Motor control',
    kind: 'motor-control',
    device: 'motor',
    offered: 'Motor',
    live: 'Speed',
    async act(panel) {
      await arm(panel)
      await slide(panel, 'Target speed', 'End')
    },
    channel: 'speed',
    becomes: (value) => Number(value) > 100,
  },
  {
    title: 'Servo control',
    kind: 'servo-control',
    device: 'servo',
    offered: 'Servo',
    live: 'Angle',
    async act(panel) {
      await arm(panel)
      await turn(panel, 'Torque')
      await settled(panel, 'Torque')
      await press(panel, 'Highest')
    },
    channel: 'angle',
    becomes: (value) => Number(value) > 10,
  },
  {
    title: 'LED control',
    kind: 'led-control',
    device: 'led',
    offered: 'LED',
    live: 'As it shines',
    act: (panel) => choose(panel, 'Effect', 'Rainbow'),
    channel: 'effect',
    becomes: (value) => value === 'rainbow',
  },
  {
    title: 'Drone control',
    kind: 'drone-control',
    device: 'drone',
    offered: 'Drone',
    live: 'Attitude',
    async act(panel) {
      await arm(panel)
      await turn(panel, 'Armed')
      await instrument(panel, 'Mode').getByText('Armed').waitFor()
      await press(panel, 'Take off')
    },
    channel: 'mode',
    becomes: (value) => value === 'taking_off' || value === 'flying',
  },
  {
    title: 'Speed controller',
    kind: 'speed-controller',
    device: 'speed-controller',
    offered: 'Speed controller',
    live: 'Measured speed',
    async act(panel) {
      await arm(panel)
      await turn(panel, 'Enabled')
      await settled(panel, 'Enabled')
      await slide(panel, 'Target speed', 'End')
    },
    channel: 'measured',
    becomes: (value) => Number(value) > 10,
  },
  {
    title: 'Lights control',
    kind: 'lights-control',
    device: 'lights',
    offered: 'Lights',
    live: 'Illuminance',
    act: (panel) => choose(panel, 'Scene', 'Inspection'),
    channel: 'power',
    becomes: (value) => Number(value) > 40,
  },
  {
    title: 'Workcell power',
    kind: 'workcell-power',
    device: 'workcell-power',
    offered: 'Workcell power',
    live: 'Voltage',
    async act(panel) {
      await arm(panel)
      await press(panel, 'Turn on one by one')
    },
    // The last one: a command that is still on its way when the device is removed is answered with 404.
    channel: 'outlet_4',
    becomes: (value) => value === true,
  },
  {
    title: 'GPIO control',
    kind: 'gpio-control',
    device: 'gpio',
    offered: 'GPIO',
    live: 'Edges by pin',
    act: async (panel) => {
      await panel.getByRole('switch', { name: 'Pin 0', exact: true }).press('Space')
    },
    channel: 'pin_6',
    becomes: (value) => value === true,
  },
  {
    title: 'Inertial measurement',
    kind: 'imu',
    device: 'imu',
    offered: 'Motion sensor',
    live: 'Orientation',
    act: (panel) => press(panel, 'Calibrate'),
    channel: 'calibration',
    becomes: (value) => Number(value) < 3,
  },
  {
    title: 'Time of flight',
    kind: 'time-of-flight',
    device: 'time-of-flight',
    offered: 'Time of flight',
    live: 'Distances',
    act: (panel) => slide(panel, 'Frames', 'Home'),
    channel: 'rate',
    becomes: (value) => value === 1,
  },
  {
    title: 'Ultrasonic',
    kind: 'ultrasonic',
    device: 'ultrasonic',
    offered: 'Ultrasonic',
    live: 'Distance',
    act: (panel) => slide(panel, 'Near below', 'End'),
    channel: 'near',
    becomes: (value) => value === true,
  },
  {
    title: 'Line follower',
    kind: 'line-follower',
    device: 'line-follower',
    offered: 'Line follower',
    live: 'Reflectance',
    async act(panel) {
      await arm(panel)
      await press(panel, 'Start')
    },
    channel: 'running',
    becomes: (value) => value === true,
  },
  {
    title: 'Chip data',
    kind: 'chip-data',
    device: 'chip',
    offered: 'Chip',
    live: 'Voltages',
    act: async (panel) => {
      await panel.getByRole('switch', { name: 'CTRL turbo' }).press('Space')
    },
    channel: 'ctrl',
    becomes: (value) => value === 7,
  },
  { title: 'Chip statistics', kind: 'chip-statistics', device: 'chip', offered: 'Chip', live: 'Load' },
  {
    title: 'Oven data',
    kind: 'oven-data',
    device: 'oven',
    offered: 'Oven',
    live: 'Oven temperature',
    async act(panel) {
      await choose(panel, 'Profile', 'Leaded')
      await arm(panel)
      await press(panel, 'Start')
    },
    channel: 'stage',
    becomes: (value) => value === 'preheat',
  },
  {
    title: 'Pressure and temperature',
    kind: 'pressure-temperature',
    device: 'pressure',
    offered: 'Pressure chamber',
    live: 'Pressure',
    async act(panel) {
      await arm(panel)
      await slide(panel, 'Pump', 'End')
    },
    channel: 'pressure',
    becomes: (value) => Number(value) > 102,
  },
  {
    title: 'Ultra-wideband',
    kind: 'ultra-wideband',
    device: 'ultra-wideband',
    offered: 'Ultra-wideband',
    live: 'Ranges',
    act: (panel) => slide(panel, 'Fixes', 'Home'),
    channel: 'rate',
    becomes: (value) => value === 1,
  },
  {
    title: 'Robot log',
    kind: 'robot-log',
    device: 'robot-log',
    offered: 'Robot log',
    live: 'Log',
    async act(panel) {
      await arm(panel)
      await press(panel, 'Drive to the charger')
    },
    channel: 'state',
    becomes: (value) => value === 'charging',
  },
  {
    title: 'Battery charger',
    kind: 'battery-charger',
    device: 'charger',
    offered: 'Charger',
    live: 'Voltage',
    async act(panel) {
      await arm(panel)
      await press(panel, 'Start')
    },
    channel: 'phase',
    becomes: (value) => value === 'constant_current',
  },
  {
    title: 'Temperature graph',
    kind: 'temperature-graph',
    device: 'thermometer',
    offered: 'Thermometer',
    live: 'Case',
    act: (panel) => slide(panel, 'Alarm above', 'Home'),
    channel: 'alarm',
    becomes: (value) => value === true,
  },
  {
    title: 'Sensor monitor',
    kind: 'sensor-monitor',
    device: 'environment',
    offered: 'Environment',
    live: 'Readings',
  },
]

async function show({ kind, title }: Pick<Scene, 'kind' | 'title'>): Promise<Locator> {
  await workspace.add(kind)
  const panel = panelNamed(page, title)
  await panel.waitFor()
  return panel
}

async function close(title: string): Promise<void> {
  await page.getByRole('tab', { name: title, exact: true }).press('Delete')
  await panelNamed(page, title).waitFor({ state: 'detached' })
}

/** That what an instrument says is live, and changes. */
async function expectLive(panel: Locator, name: string): Promise<void> {
  const shown = instrument(panel, name).last()
  await expect.poll(() => shown.getAttribute('data-state'), soon).toBe('live')
  const before = await shown.innerText()
  await expect.poll(() => shown.innerText(), soon).not.toBe(before)
}

/** Each panel in one look, with every look among them; the deep run has all of them. */
async function expectWell(title: string, number: number): Promise<void> {
  const within = '[data-tab-id]'
  const inTurn = LOOKS.filter((_, index) => index === number % LOOKS.length)
  for (const { colorScheme, viewport } of depth<readonly (typeof LOOKS)[number][]>({
    common: inTurn,
    deep: LOOKS,
  })) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const width = () => panelNamed(page, title).evaluate((panel) => panel.getBoundingClientRect().width)
    // The dock follows the window in the frame after, and plots the dock.
    await waitUntil('it is as wide as the page', async () => Math.abs((await width()) - viewport.width) < 8)
    await expect.poll(() => page.evaluate(overflowing, within), soon).toEqual([])
    expect(await complaints(page, { within })).toEqual([])
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
}

test('[W-726] every panel of devices is tried', () => {
  expect(SCENES.map(({ kind }) => kind).toSorted()).toEqual(DEVICE_PANEL_KINDS.toSorted())
})

/** The common run takes every third: their declarations differ, and the engine that draws them is one. */
const TRIED = depth({ common: SCENES.filter((_, index) => index % 3 === 0), deep: SCENES })

test.each(TRIED)(
  '[W-317][W-318][W-713][W-720][W-723][W-724][W-726] $title: bound with one press, live, its controls move the device, and nothing is wrong with it',
  {
    timeout: 60_000,
  },
  async (scene) => {
    await using simulated: Simulated = await connectSimulated(workspace, scene.device)
    const panel = await show(scene)
    await press(panel, `Use ${scene.offered}`)
    await instrument(panel, scene.live).last().waitFor()
    await scene.act?.(panel)
    const hasMoved = () => scene.becomes?.(simulated.value(scene.channel ?? '')) ?? true
    await expect.poll(hasMoved, soon).toBe(true)
    await expectLive(panel, scene.live)
    await expectWell(scene.title, SCENES.indexOf(scene))
  },
)

test('[W-710][W-711][W-712][W-721] bound over HTTP; watched once by all panels that show, and not behind another', async () => {
  await using thermometer = await connectSimulated(workspace, 'thermometer')
  const bind = (temperatures: readonly string[]) =>
    workspace.add('temperature-graph', { initialState: { bindings: { temperatures } } })
  const first = await bind(['thermometer/room', 'thermometer/case'])
  const graph = panelNamed(page, 'Temperature graph')
  await expectLive(graph, 'Room')
  const bindings = { sensors: ['thermometer/case', 'thermometer/probe'] }
  await workspace.add('sensor-monitor', {
    panelId: first.panelId,
    direction: 'right',
    initialState: { bindings },
  })
  const all = ['thermometer/case', 'thermometer/probe', 'thermometer/room']
  await expect.poll(() => watches.at(-1), soon).toEqual(all)
  await expectLive(panelNamed(page, 'Sensor monitor'), 'Readings')
  await workspace.add('system-log', { panelId: first.panelId })
  await expect.poll(() => watches.at(-1), soon).toEqual(all.slice(0, 2))
  await close('System log')
  await expect.poll(() => watches.at(-1), soon).toEqual(all)
  const state = { bindings: { temperatures: ['thermometer/probe', 'thermometer/room'] } }
  await workspace.call('PATCH', `:workspace/current/tabs/${first.tabId}`, { state })
  await expectLive(graph, 'Probe')
  await thermometer[Symbol.asyncDispose]()
  await expect.poll(() => instrument(graph, 'Room').getAttribute('data-state'), soon).toBe('offline')
  await expect(bind(['thermometer'])).rejects.toThrow(/must match pattern/)
})

deepTest(
  '[W-712] what is not heard of is stale while the connection is lost, and live again after it',
  async () => {
    await using _environment = await connectSimulated(workspace, 'environment')
    await workspace.add('sensor-monitor', { initialState: { bindings: { sensors: ['environment/light'] } } })
    const panel = panelNamed(page, 'Sensor monitor')
    const row = panel.getByRole('row', { name: /^Light/ }).first()
    await expect.poll(() => row.getAttribute('data-state'), soon).toBe('live')
    await cut()
    await expect.poll(() => row.getAttribute('data-state'), soon).toBe('stale')
    isCut = false
    await expect.poll(() => row.getAttribute('data-state'), { timeout: 40_000 }).toBe('live')
  },
)

deepTest(
  '[W-720][W-722] without devices a panel says how one is added; the dialog proposes channels for each part',
  async () => {
    await workspace.add('servo-control')
    const panel = panelNamed(page, 'Servo control')
    await panel.getByText(/^patchbay device add /).waitFor()
    await using _servo = await connectSimulated(workspace, 'servo')
    await press(panel, 'Choose channels…')
    const dialog = page.getByRole('dialog', { name: 'Channels of this panel' })
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await dialog.getByRole('button', { name: /Measured angle/ }).click()
    await page.getByRole('option', { name: 'Not connected' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Not connected: Measured angle').waitFor()
    await expect
      .poll(async () => (await workspace.current()).tabs.map(({ state }) => state))
      .toMatchObject([{ bindings: { target: 'servo/target', enabled: 'servo/torque_enabled' } }])
  },
)

test('[W-714][W-725] the emergency stop acts at once, holds in every panel, and is released after a question', async () => {
  await using motor = await connectSimulated(workspace, 'motor')
  await workspace.add('motor-control')
  const panel = panelNamed(page, 'Motor control')
  await press(panel, 'Use Motor')
  await panel.getByText('Not available: arm the device first').first().waitFor()
  await press(panel, 'Emergency stop')
  await panel.getByText('Emergency stop: all devices of this workspace are stopped').waitFor()
  await expect.poll(() => motor.value('brake'), soon).toBe(true)
  await panel.getByText('Not available: the devices are stopped').first().waitFor()
  await press(panel, 'Release…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
  await panel.getByText('Not available: arm the device first').first().waitFor()
})

test('[W-766][W-823] a zoom camera shows what its device says, and tells it where to look, as every panel of devices', async () => {
  await using camera = await connectSimulated(workspace, 'ptz-camera')
  await workspace.add('zoom-camera', { initialState: { device: 'ptz-camera' } })
  const panel = panelNamed(page, 'Zoom camera')
  await panel.getByText('Pan 0.0° · Tilt 0.0° · Zoom 1.0 ×').waitFor()
  expect(watches.at(-1)).toEqual(expect.arrayContaining(['ptz-camera/pan', 'ptz-camera/zoom']))
  await press(panel, 'Zoom in')
  await expect.poll(() => camera.value('zoom'), soon).toBeGreaterThan(1)
  await panel.getByText(/Zoom 1\.[1-9] ×/).waitFor()
  await workspace.callAsOwner('PUT', ':workspace/emergency-stop', {})
  await panel.getByText('Not available: the devices are stopped').waitFor()
  expect(await panel.getByRole('button', { name: 'Zoom in' }).isDisabled()).toBe(true)
  await workspace.callAsOwner('DELETE', ':workspace/emergency-stop')
  await camera[Symbol.asyncDispose]()
  await panel.getByText(/ is offline$/).waitFor()
})

test('[W-714][W-824] a viewer sees the values, and can command neither in the panel nor over HTTP or the socket', async () => {
  await using motor = await connectSimulated(workspace, 'motor')
  const bindings = { target: 'motor/target', speed: 'motor/speed', current: 'motor/current' }
  await workspace.add('motor-control', { initialState: { bindings } })
  const eve = await makeAccount(site, newHandle('eve'))
  await workspace.callAsOwner('PUT', `:workspace/members/${eve.handle}`, { role: 'viewer' })
  await using visit = await openPage(await sharedChromium(), { viewport: WIDE, reducedMotion: 'reduce' })
  let say: (message: unknown) => void = () => undefined
  let hasPower = false
  await visit.page.routeWebSocket(/\/api\/workspaces\/socket$/, (line) => {
    const server = line.connectToServer()
    say = (message) => server.send(JSON.stringify({ type: 'channel', channel: DEVICES_CHANNEL, message }))
    server.onMessage((text) => {
      hasPower ||= String(text).includes('"channel":"power"')
      line.send(text)
    })
  })
  await signIn(site, visit.page, eve)
  await visit.page.goto(site.url + workspace.path)
  const panel = panelNamed(visit.page, 'Motor control')
  motor.device.command('target', 900)
  await expectLive(panel, 'Speed')
  await panel.getByText('Not available: you may only look at this workspace').first().waitFor()
  expect(await panel.getByRole('slider').first().isDisabled()).toBe(true)
  expect(await panel.getByRole('button', { name: 'Emergency stop' }).isDisabled()).toBe(true)
  expect(await panel.getByRole('button', { name: 'Arm…' }).count()).toBe(0)

  const api = `${site.url}/api/workspaces/editor${workspace.path.slice('/workspaces'.length)}`
  const headers = pageHeaders(await openSession(site, eve), site.url)
  const command = { channel: 'target', value: 1_000 }
  const refused = await Promise.all(
    (
      [
        ['POST', 'devices/motor/commands', command],
        ['PUT', 'devices/motor/arming', { seconds: 60 }],
        ['PUT', 'emergency-stop', {}],
        ['POST', 'devices', { name: 'mine' }],
      ] as const
    ).map(async ([method, path, body]) => {
      const answer = await fetch(`${api}/${path}`, { method, headers, body: JSON.stringify(body) })
      return `${path} ${answer.status}`
    }),
  )
  expect(refused).toEqual([
    'devices/motor/commands 403',
    'devices/motor/arming 403',
    'emergency-stop 403',
    'devices 403',
  ])
  // The socket knows one request of pages alone; what is said after these is answered after them.
  say({ type: 'command', device: 'motor', ...command })
  say({ type: 'set', device: 'motor', ...command })
  say({ type: 'watch', channels: [{ device: 'motor', channel: 'power', rate: 30 }] } satisfies DevicesRequest)
  await expect.poll(() => hasPower, soon).toBe(true)
  expect(motor.value('target')).toBe(900)
})
