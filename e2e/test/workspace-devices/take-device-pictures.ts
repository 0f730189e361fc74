// The pictures of panels of devices, taken anew: `node e2e/test/workspace-devices/take-device-pictures.ts [folder] [scene…]`.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { makeWorkspace } from '../workspace-pages/workspace.ts'
import { chromiumOnLine, openSerialLine, rememberBoard, type SerialLine } from './serial-line.ts'
import { connectSimulated } from './simulated.ts'

const [folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url)), ...wanted] =
  process.argv.slice(2)
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const
/** So that plots have something to show. */
const WATCHED_MS = 12_000

interface Scene {
  /** Without one the workspace has no panel. */
  readonly kind?: string
  readonly device?: string
  /** Others that the workspace has. */
  readonly others?: readonly string[]
  /** The title of the device. */
  readonly use?: string
  /** What the device was told, before it is watched. */
  readonly told?: readonly (readonly [channel: string, value: number | string | boolean])[]
  /** Its connection ends before the picture is taken. */
  readonly isUnplugged?: true
  readonly show?: (page: Page) => Promise<void>
  /** What a board on a serial line says again and again, which is known by this name. */
  readonly board?: { readonly name: string; readonly lines: readonly string[] }
  /** Its values are recorded, and the moment at which it is watched is marked. */
  readonly isRecorded?: true
}

const SCENES: Readonly<Record<string, Scene>> = {
  motor: { kind: 'motor-control', device: 'motor', use: 'Motor', told: [['target', 1_800]] },
  servo: {
    kind: 'servo-control',
    device: 'servo',
    use: 'Servo',
    told: [
      ['torque_enabled', true],
      ['target', 60],
    ],
  },
  led: { kind: 'led-control', device: 'led', use: 'LED' },
  drone: {
    kind: 'drone-control',
    device: 'drone',
    use: 'Drone',
    told: [
      ['armed', true],
      ['take_off', 'PRESS'],
    ],
  },
  speed: {
    kind: 'speed-controller',
    device: 'speed-controller',
    use: 'Speed controller',
    told: [
      ['enabled', true],
      ['target', 3_000],
    ],
  },
  lights: { kind: 'lights-control', device: 'lights', use: 'Lights' },
  power: {
    kind: 'workcell-power',
    device: 'workcell-power',
    use: 'Workcell power',
    told: [
      ['outlet_1', true],
      ['outlet_2', true],
    ],
  },
  gpio: {
    kind: 'gpio-control',
    device: 'gpio',
    use: 'GPIO',
    told: [
      ['pwm', true],
      ['pwm_duty', 40],
    ],
  },
  imu: { kind: 'imu', device: 'imu', use: 'Motion sensor' },
  'time-of-flight': { kind: 'time-of-flight', device: 'time-of-flight', use: 'Time of flight' },
  ultrasonic: { kind: 'ultrasonic', device: 'ultrasonic', use: 'Ultrasonic' },
  line: { kind: 'line-follower', device: 'line-follower', use: 'Line follower', told: [['start', 'PRESS']] },
  temperature: { kind: 'temperature-graph', device: 'thermometer', use: 'Thermometer' },
  chip: { kind: 'chip-data', device: 'chip', use: 'Chip' },
  statistics: { kind: 'chip-statistics', device: 'chip', use: 'Chip' },
  oven: { kind: 'oven-data', device: 'oven', use: 'Oven', told: [['start', 'PRESS']] },
  pressure: {
    kind: 'pressure-temperature',
    device: 'pressure',
    use: 'Pressure chamber',
    told: [
      ['valve', 20],
      ['pump', 60],
    ],
  },
  position: { kind: 'ultra-wideband', device: 'ultra-wideband', use: 'Ultra-wideband' },
  monitor: { kind: 'sensor-monitor', device: 'environment', use: 'Environment' },
  robot: { kind: 'robot-log', device: 'robot-log', use: 'Robot log' },
  charger: { kind: 'battery-charger', device: 'charger', use: 'Charger', told: [['start', 'PRESS']] },
  offline: { kind: 'motor-control', device: 'motor', use: 'Motor', isUnplugged: true },
  dialog: {
    device: 'servo',
    others: ['environment', 'ptz-camera'],
    async show(page) {
      await page.keyboard.press('Control+K')
      await page.getByRole('combobox').fill('devices')
      await page.getByRole('option', { name: 'Devices', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Devices of this workspace' })
      await dialog.getByRole('button', { name: 'Manage servo' }).click()
      await dialog.getByText('Only this workspace uses it.').waitFor()
    },
  },
  boards: {
    board: {
      name: 'uno',
      lines: [
        `$info=${JSON.stringify({
          device: { name: 'Greenhouse' },
          components: {
            temperature: { unit_of_measurement: '°C' },
            humidity: { unit_of_measurement: '%' },
            fan: { platform: 'switch', command_topic: true, device_class: 'motor' },
          },
        })}`,
        'Sensor ready',
        ...[21.4, 21.5, 21.5, 21.6, 21.5].map((value, at) => `temperature:${value},humidity:${40 + at}`),
        'fan=OFF',
      ],
    },
    async show(page) {
      await page.keyboard.press('Control+K')
      await page.getByRole('combobox').fill('devices')
      await page.getByRole('option', { name: 'Devices', exact: true }).click()
      const boards = page.getByRole('region', { name: 'Boards on this computer' })
      await boards.getByRole('button', { name: 'Connect uno' }).click()
      await boards.getByRole('button', { name: 'Arm…' }).waitFor()
      await boards.getByRole('button', { name: 'Console of uno' }).click()
      await boards.getByText('temperature:21.6,humidity:43').last().waitFor()
      await sleep(1_000)
      await boards.getByRole('heading').evaluate((heading) => heading.scrollIntoView())
    },
  },
  none: { kind: 'motor-control' },
  unbound: { kind: 'servo-control', device: 'servo' },
  channels: {
    kind: 'servo-control',
    device: 'servo',
    use: 'Servo',
    show: (page) => page.getByRole('button', { name: 'Channels…' }).click(),
  },
  replay: {
    kind: 'motor-control',
    device: 'motor',
    use: 'Motor',
    isRecorded: true,
    told: [['target', 1_800]],
    show: async (page) => {
      await page.goto(`${page.url()}?at=${new Date(Date.now() - WATCHED_MS / 2).toISOString()}`)
      await page
        .getByText(/^Was at/)
        .first()
        .waitFor()
      await page.getByText('Loading what happened').waitFor({ state: 'detached' })
    },
  },
  moments: {
    kind: 'motor-control',
    device: 'motor',
    use: 'Motor',
    isRecorded: true,
    show: async (page) => {
      await page.goto(`${page.url()}?at=${new Date(Date.now() - WATCHED_MS / 2).toISOString()}`)
      await page.getByRole('button', { name: 'Moments…' }).click()
      await page.getByRole('dialog').getByText('The motor starts').waitFor()
    },
  },
  stopped: {
    kind: 'motor-control',
    device: 'motor',
    use: 'Motor',
    told: [['target', 1_200]],
    show: async (page) => {
      await page.getByRole('button', { name: 'Emergency stop' }).click()
      await page.getByText('Emergency stop: all devices').waitFor()
    },
  },
}

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({
  databaseUrl: await postgres.createDatabase('pictures'),
  environment: { PATCHBAY_MQTT_PORT: '0' },
})
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })

for (const [name, scene] of Object.entries(SCENES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const workspace = await makeWorkspace({ site }, ada, 'ada', name)
  await using simulated =
    scene.device === undefined ? undefined : await connectSimulated(workspace, scene.device)
  if (scene.isRecorded) await workspace.callAsOwner('PUT', ':workspace/device-recorder')
  await using others = new AsyncDisposableStack()
  for (const other of scene.others ?? []) others.use(await connectSimulated(workspace, other))
  if (scene.kind !== undefined) await workspace.add(scene.kind)
  await using line = scene.board === undefined ? undefined : await openSerialLine()
  const onLine = line === undefined ? undefined : others.use(await chromiumOnLine(line, site.url))
  using _said = sayAll(line, scene.board?.lines ?? [])
  const pages: Page[] = []
  for (const { options } of LOOKS) {
    const { page } = await openPage(onLine ?? browser, {
      ...options,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    })
    if (scene.board !== undefined) await rememberBoard(page, `ada/${name}`, scene.board.name)
    await signIn(site, page, ada)
    await page.goto(site.url + workspace.path)
    pages.push(page)
  }
  const [first] = pages
  if (scene.use !== undefined) await first?.getByRole('button', { name: `Use ${scene.use}` }).click()
  if (scene.told !== undefined) {
    const arm = required(first).getByRole('button', { name: 'Arm…' })
    await required(first).getByRole('button', { name: 'Channels…' }).waitFor()
    if (await arm.isVisible()) {
      await arm.click()
      await required(first).getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click()
      await required(first)
        .getByText(/^Armed by/)
        .waitFor()
    }
    for (const [channel, value] of scene.told) simulated?.device.command(channel, value)
  }
  if (scene.isRecorded)
    await workspace.callAsOwner('POST', ':workspace/device-markers', { label: 'The motor starts' })
  await sleep(scene.use === undefined ? 1_000 : WATCHED_MS)
  if (scene.isUnplugged === true) {
    await simulated?.[Symbol.asyncDispose]()
    for (const page of pages) await page.getByText('Motor: offline').waitFor()
  }
  for (const [index, { look }] of LOOKS.entries()) {
    const page = required(pages[index])
    await scene.show?.(page)
    await screenshot(page, join(folder, `device-${name}-${look}.png`))
    await page.context().close()
  }
}

/** One line after the other, as a board that loops. */
function sayAll(line: SerialLine | undefined, lines: readonly string[]): Disposable {
  let at = 0
  const timer = setInterval(() => {
    line?.say(`${lines[at % lines.length] ?? ''}\n`)
    at += 1
  }, 150)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function required(page: Page | undefined): Page {
  if (page === undefined) throw new Error('no page')
  return page
}
