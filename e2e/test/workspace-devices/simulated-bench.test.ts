import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceConnection } from '@patchbay/contracts/devices'
import { createSimulation } from '@patchbay/dev/simulation'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { useWorkspaces, type Workspace } from '../workspace-pages/workspace.ts'

const bench = useWorkspaces({ canSimulate: true, environment: { PATCHBAY_MQTT_PORT: '0' } })
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const offer = (page: Page) => palette(page).getByRole('option', { name: 'Add a simulated bench' })
const PATIENCE = { deadlineMs: 60_000 }

interface Listed {
  readonly items: readonly { readonly name: string; readonly status: string }[]
}

async function online(workspace: Workspace): Promise<number> {
  const { items } = (await workspace.callAsOwner('GET', ':workspace/devices')) as Listed
  return items.filter(({ status }) => status === 'online').length
}

async function pressOffer(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  await offer(page).click()
}

deepTest(
  '[W-770][DEV-15][G-53] one press in the palette adds a bench whose devices do what they are told',
  async () => {
    const workspace = await bench.make()
    await using visit = await bench.open(workspace)
    const { page } = visit
    await pressOffer(page)
    await page.getByText('21 simulated devices are connected').waitFor({ timeout: 30_000 })
    await waitUntil('all are online', async () => (await online(workspace)) === 21, PATIENCE)
    const command = { channel: 'fade', value: 2, timeoutMs: 30_000 }
    expect(await workspace.callAsOwner('POST', ':workspace/devices/lights/commands', command)).toMatchObject({
      status: 'done',
    })
    // Again: they are taken with new keys, and those of before end.
    await pressOffer(page)
    await waitUntil('all are online again', async () => (await online(workspace)) === 21, PATIENCE)
  },
)

test("[W-770][G-53] a device of somebody's own is not taken, and the page says so", async () => {
  const workspace = await bench.make()
  await workspace.callAsOwner('POST', ':workspace/devices', { name: 'motor' })
  await using visit = await bench.open(workspace, { expectedFaults: [/409 .*simulated-bench/] })
  const { page } = visit
  await pressOffer(page)
  await page.getByText('that is not a simulated one').first().waitFor({ timeout: 30_000 })
  const { items } = (await workspace.callAsOwner('GET', ':workspace/devices')) as Listed
  expect(items.map(({ name }) => name)).toEqual(['motor'])
})

test('[DEV-15] what was simulated is connected again at the next start, with the keys of before', async () => {
  const workspace = await bench.make()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-simulated-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const simulate = () => {
    const simulation = createSimulation({ now: Date.now, random: Math.random }, join(folder, 'devices.json'))
    cleanup.defer(() => simulation.close())
    return simulation
  }
  const added = await Promise.all(
    ['motor', 'oven'].map(async (name) => {
      const answer = await workspace.callAsOwner('POST', ':workspace/devices', { name })
      return { name, ...(answer as { key: string; connection: DeviceConnection }) }
    }),
  )
  const [{ connection } = { connection: undefined }] = added
  if (connection === undefined) throw new Error('no device was added')
  const first = simulate()
  // The broker was elsewhere then.
  first.start(added.map((each) => ({ ...each, connection: { ...each.connection, port: 1 } })))
  await first.close()
  expect((await stat(join(folder, 'devices.json'))).mode & 0o077).toBe(0)
  expect(await online(workspace)).toBe(0)
  await simulate().resume(connection)
  await waitUntil('both are online', async () => (await online(workspace)) === 2, PATIENCE)
})
