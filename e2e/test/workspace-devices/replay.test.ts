import { zstdDecompressSync } from 'node:zlib'
import { McapIndexedReader } from '@mcap/core'
import {
  type Locator,
  openPage,
  type Page,
  type PageOptions,
  sharedChromium,
} from '@patchbay/testkit/chromium'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { complaints, overflowing, smallControls } from '@patchbay/web/test/complaints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE } from '../identity-pages/bench.ts'
import { signIn } from '../identity-pages/people.ts'
import { type Site, startSite } from '../identity-pages/site.ts'
import { type Account, makeAccount, newHandle, openSession, pageHeaders } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'
import { makeWorkspace, type Workspace } from '../workspace-pages/workspace.ts'
import { addPastHour, LIVE_SPEED, modeAt, type PastHour } from './past-hour.ts'

const soon = { timeout: 30_000 }
const HALF_MS = 1_800_500
const end = new AsyncDisposableStack()
let databaseUrl: string
let site: Site
let ada: Account
let workspace: Workspace
let hour: PastHour

beforeAll(async () => {
  databaseUrl = end.use(await preparedDatabase()).url
  site = end.use(await startSite({ databaseUrl, environment: { PATCHBAY_MQTT_PORT: '0' } }))
  ada = await makeAccount(site, newHandle(), { name: 'Ada' })
  workspace = await makeWorkspace({ site }, ada, ada.handle, 'bench')
  hour = end.use(await addPastHour(databaseUrl, workspace))
  const { panelId } = await workspace.add('motor-control', {
    initialState: { bindings: { target: 'motor/target', speed: 'motor/speed', state: 'motor/mode' } },
  })
  await workspace.add('robot-log', {
    panelId,
    direction: 'right',
    initialState: { bindings: { log: 'motor/line' } },
  })
}, 240_000)
afterAll(() => end.disposeAsync())

async function open(at: number | undefined, options: PageOptions & { readonly as?: Account } = {}) {
  const { as = ada, ...more } = options
  const visit = await openPage(await sharedChromium(), {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...more,
  })
  const { page } = visit
  page.setDefaultTimeout(20_000)
  await signIn(site, page, as)
  await page.goto(
    `${site.url}${workspace.path}${at === undefined ? '' : `?at=${new Date(at).toISOString()}`}`,
  )
  return visit
}

const bar = (page: Page) => page.getByRole('region', { name: 'Replay' })
const slider = (page: Page) => bar(page).getByRole('slider', { name: 'Moment' })
const speed = (page: Page) => page.getByRole('group', { name: 'Speed', exact: true }).first()
const inNumbers = async (value: Locator) =>
  // Beside the value stands when that was.
  Number(
    /[\d,]{1,9}/.exec((await value.innerText()).replaceAll(/\d\d:\d\d:\d\d/g, ''))?.[0].replaceAll(',', ''),
  )
const reads = async (page: Page, value: number) => {
  await expect.poll(() => speed(page).innerText(), soon).toContain(value.toLocaleString('en'))
}
const press = (page: Page, name: string | RegExp) => bar(page).getByRole('button', { name }).click()
const momentOf = async (page: Page) =>
  Date.parse((await bar(page).locator('time').getAttribute('datetime')) ?? '')

async function choose(page: Page, name: string, option: string): Promise<void> {
  await bar(page).getByRole('button', { name }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

deepTest(
  '[J-110][W-780][W-781][W-784][W-785] an hour is replayed: a link to a moment, steps, speed, and back to live',
  async () => {
    await using visit = await open(hour.from + HALF_MS)
    const { page } = visit
    await bar(page).getByText('You are looking at the past').waitFor()
    await reads(page, 1_800)
    expect(await speed(page).innerText()).toMatch(/Was at \d\d:\d\d:\d\d/)
    await page
      .getByRole('group', { name: 'Mode', exact: true })
      .getByText(modeAt(1_800), { exact: true })
      .waitFor()
    await slider(page).focus()
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight')
    await reads(page, 1_803)
    await press(page, 'Back 10 seconds')
    await reads(page, 1_793)
    await waitUntil(
      'the address names the moment',
      async () => page.url().includes(new Date(hour.from + 1_793_500).toISOString()),
      { deadlineMs: 20_000 },
    )

    for (const times of ['1×', '10×', '60×']) {
      await choose(page, 'Speed', times)
      const before = await momentOf(page)
      await press(page, 'Play')
      await expect.poll(() => momentOf(page), soon).toBeGreaterThan(before + 2_500)
      await press(page, 'Pause')
      // What is shown belongs to the moment that is shown, whatever the speed.
      const moment = await momentOf(page)
      await reads(page, Math.floor((moment - hour.from) / 1_000))
    }
    // Before anything was said there is nothing, and least of all what is said now.
    await page.goto(`${site.url}${workspace.path}?at=${new Date(hour.from - 120_000).toISOString()}`)
    await speed(page).getByText('No value at that time').waitFor()
    expect(await speed(page).innerText()).not.toMatch(/\d{3}/)

    await press(page, 'Back to live')
    await bar(page).waitFor({ state: 'detached' })
    await reads(page, LIVE_SPEED)
    expect(await speed(page).innerText()).not.toContain('Was at')
    await waitUntil('the address names no moment', async () => !page.url().includes('at='), {
      deadlineMs: 20_000,
    })
  },
)

test(`[J-110][W-781][W-782] an hour passes at 60 times its speed`, async () => {
  const { seconds } = depth({ common: { seconds: 240 }, deep: { seconds: 3_590 } })
  await using visit = await open(hour.from + (3_595 - seconds) * 1_000)
  const { page } = visit
  await reads(page, 3_595 - seconds)
  await choose(page, 'Speed', '60×')
  await press(page, 'Play')
  const seen: number[] = []
  await expect
    .poll(
      async () => {
        seen.push(await inNumbers(speed(page)))
        return seen.at(-1)
      },
      { timeout: depth({ common: 60_000, deep: 300_000 }), interval: 200 },
    )
    .toBeGreaterThan(3_590)
  const numbers = seen.filter((value) => !Number.isNaN(value))
  // Time goes forward, over every part of it, and shows nothing that is said now.
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  expect(Math.max(...numbers)).toBeLessThan(3_600)
  expect(new Set(numbers.map((value) => Math.floor(value / 60))).size).toBeGreaterThan(2)
}, 500_000)

test('[W-783][W-784] in the past nothing is told to a device, except to stop', async () => {
  await using visit = await open(hour.from + HALF_MS)
  const { page } = visit
  const target = page.getByRole('group', { name: 'Target', exact: true }).first()
  await target.getByText('Not available: you are looking at the past. Go back to live first').waitFor()
  expect(await target.getByRole('slider').isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Emergency stop' }).first().click()
  await page.getByText('Emergency stop: all devices').first().waitFor()
  await waitUntil('the motor is stopped', async () =>
    hour.told.some((line) => line.startsWith('$stop') && line.includes('true')),
  )
  await page.getByText('Go back to live to release it.').first().waitFor()
  expect(await page.getByRole('button', { name: 'Release…' }).count()).toBe(0)
  await press(page, 'Back to live')
  await page.getByRole('button', { name: 'Release…' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
  await target.getByText('Not available').waitFor({ state: 'detached' })
  expect(hour.told.filter((line) => line.startsWith('target'))).toEqual([])
})

test('[W-785][W-786][W-787] moments are marked and linked, and a viewer follows them without changing anything', async () => {
  const eve = await makeAccount(site, newHandle('eve'), { name: 'Eve' })
  await workspace.callAsOwner('PUT', `:workspace/members/${eve.handle}`, { role: 'viewer' })
  await using visit = await open(hour.from + HALF_MS)
  const { page } = visit
  await reads(page, 1_800)
  await press(page, 'Copy link')
  const link = await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), soon)
    .toContain('?at=')
    .then(() => page.evaluate(() => navigator.clipboard.readText()))
  await using other = await open(undefined, { as: eve })
  await other.page.goto(link)
  await reads(other.page, 1_800)
  await other.page.getByText('Not available: you may only look at this workspace').first().waitFor()
  expect(
    await bar(other.page)
      .getByRole('button', { name: /Record|Stop recording/ })
      .count(),
  ).toBe(0)
  await bar(other.page)
    .getByText(/^Recording since/)
    .waitFor()

  await press(page, 'Moments…')
  const dialog = page.getByRole('dialog', { name: 'Moments' })
  await dialog.getByRole('textbox', { name: /^Mark / }).fill('It <b>began</b> to smoke')
  await page.keyboard.press('Enter')
  await dialog.getByRole('listitem').filter({ hasText: 'It <b>began</b> to smoke' }).first().waitFor()
  await page.keyboard.press('Escape')
  await slider(page).press('Home')
  await press(page, 'To the next marker: It <b>began</b> to smoke')
  await reads(page, 1_800)

  await slider(other.page).press('Home')
  await press(other.page, 'Moments…')
  const seen = other.page.getByRole('dialog', { name: 'Moments' })
  const listed = seen.getByRole('listitem').filter({ hasText: 'It <b>began</b> to smoke' }).first()
  await listed.waitFor()
  expect(await seen.getByRole('button', { name: /^(Mark|Remove)/ }).count()).toBe(0)
  await listed.getByRole('button', { name: /^Show/ }).click()
  await reads(other.page, 1_800)

  await press(page, 'Moments…')
  await dialog.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await dialog.getByText('No markers yet.').waitFor()
  await page.keyboard.press('Escape')
  await bar(other.page)
    .getByRole('button', { name: /^To the marker/ })
    .waitFor({ state: 'detached' })

  await press(page, 'Stop recording')
  await bar(other.page)
    .getByText(/^Recording since/)
    .waitFor({ state: 'detached' })
  await press(page, 'Record')
  await bar(other.page)
    .getByText(/^Recording since/)
    .waitFor()
})

deepTest(
  '[W-788] a plot shows what came before and after the moment, also of hours, and a log the lines until then',
  async () => {
    await using visit = await open(hour.from + HALF_MS)
    const { page } = visit
    await reads(page, 1_800)
    const plot = page.getByRole('application').first()
    await plot.waitFor()
    const of = async (name: string) => Number(await plot.getAttribute(`data-${name}`))
    expect(await of('moment')).toBe(hour.from + HALF_MS)
    expect((await of('from')) + (await of('to'))).toBe(2 * (hour.from + HALF_MS))
    const numbers = async () => {
      const row = page.getByRole('row', { name: /^Speed/ }).first()
      const [last, least, greatest] = await row.getByRole('cell').allInnerTexts()
      return [last, least, greatest].map((text) => Number(text?.replaceAll(',', '')))
    }
    // The last is that of the moment; the least and the greatest are those in view.
    const span = Math.round(((await of('to')) - (await of('from'))) / 1_000)
    await expect.poll(numbers, soon).toEqual([1_800, 1_800 - span / 2 + 1, 1_800 + span / 2])
    await plot.focus()
    for (let times = 0; times < 7; times += 1) await page.keyboard.press('-')
    await expect.poll(async () => (await numbers())[1], soon).toBeLessThanOrEqual(10)
    await expect.poll(async () => (await numbers())[2], soon).toBeGreaterThanOrEqual(3_599)
    const lines = page.getByRole('group', { name: 'Log', exact: true })
    await lines.getByText('Minute 30').waitFor()
    await lines.getByText('Minute 25').waitFor()
    expect(await lines.getByText('Minute 31').count()).toBe(0)
  },
)

test('[W-789] the time bar is used on a phone and with the keyboard alone, in both themes', async () => {
  for (const options of [{ viewport: PHONE, hasTouch: true }, { colorScheme: 'dark' }] as const) {
    await using visit = await open(hour.from + HALF_MS, options)
    const { page } = visit
    await reads(page, 1_800)
    const within = 'section[aria-label="Replay"]'
    expect(await complaints(page, { within })).toEqual([])
    expect((await page.evaluate(overflowing)).filter((text) => text.includes('time-bar'))).toEqual([])
    expect(await bar(page).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    // A mouse hits what a finger does not.
    const small = 'hasTouch' in options ? await page.evaluate(smallControls) : []
    expect(small).toEqual([])
    await press(page, 'Moments…')
    await page.getByRole('dialog', { name: 'Moments' }).waitFor()
    expect(await complaints(page, { within: '[role=dialog]' })).toEqual([])
    await page.keyboard.press('Escape')
    await bar(page).getByRole('button', { name: 'Play' }).focus()
    await page.keyboard.press('Space')
    await bar(page).getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await bar(page).getByRole('button', { name: 'Play' }).waitFor()
    await bar(page).getByRole('button', { name: 'Back to live' }).focus()
    await page.keyboard.press('Enter')
    await bar(page).waitFor({ state: 'detached' })
    // From a panel and from the palette it is entered again.
    await page.getByRole('button', { name: 'Replay: look at what happened' }).first().press('Enter')
    await bar(page).waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Play')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('replay')
    await page.getByRole('option', { name: /^Replay devices/ }).click()
    await bar(page).waitFor({ state: 'detached' })
  }
})

deepTest(
  '[W-780] without a recording, numbers are replayed by the second, and what is no number says that there is nothing',
  async () => {
    const plain = await makeWorkspace({ site }, ada, ada.handle, 'plain')
    await using past = await addPastHour(databaseUrl, plain, { isRecorded: false })
    await plain.add('sensor-monitor', {
      initialState: { bindings: { sensors: ['motor/speed', 'motor/mode', 'motor/pose'] } },
    })
    await using visit = await open(undefined)
    const { page } = visit
    await page.goto(`${site.url}${plain.path}?at=${new Date(past.from + HALF_MS).toISOString()}`)
    const row = (name: string) =>
      page
        .getByRole('table')
        .first()
        .getByRole('row', { name: new RegExp(`^${name}`) })
    // Of the second of the moment itself nobody knows whether its value came before or after.
    await expect.poll(() => row('Speed').innerText(), soon).toContain('1,799')
    expect(await row('Mode').innerText()).toContain('—')
  },
)

test('[J-111] the exported MCAP of the hour, read back by @mcap/core, equals what was sent', async () => {
  const headers = pageHeaders(await openSession(site, ada), site.url)
  const times = `from=${new Date(hour.from).toISOString()}&to=${new Date(hour.to).toISOString()}`
  const path = workspace.path.replace('/workspaces/', '/api/workspaces/editor/')
  const answer = await fetch(`${site.url}${path}/device-export?${times}`, {
    headers: { cookie: headers['cookie'] ?? '' },
  })
  expect(answer.status).toBe(200)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.byteLength),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
    decompressHandlers: { zstd: (chunk) => zstdDecompressSync(chunk) },
  })
  const topics = new Map(Array.from(reader.channelsById.values(), ({ id, topic }) => [id, topic]))
  const read = []
  for await (const { channelId, logTime, data } of reader.readMessages())
    read.push({
      channel: topics.get(channelId)?.split('/')[1],
      value: (JSON.parse(new TextDecoder().decode(data)) as { value: unknown }).value,
      at: Number(logTime / 1_000_000n),
    })
  expect(read).toEqual(hour.sent)
})
