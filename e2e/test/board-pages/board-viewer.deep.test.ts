import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startWorker, workerConfig } from '@patchbay/eda-worker'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'
import { tolerating } from '../panel-control/tolerating.ts'
import { makeWorkspace } from '../workspace-pages/workspace.ts'

/** Of the Debian packages `kicad` and `kicad-demos`. */
const BOARD = '/usr/share/kicad/demos/ecc83/ecc83-pp.kicad_pcb'
const whyNot = ['/usr/bin/kicad-cli', '/usr/bin/bwrap', BOARD].find((path) => !existsSync(path))

test.skipIf(whyNot !== undefined)(
  '[W-913][W-915][W-909] a person sees a board at once, then the components and rules of KiCad, while an agent points at a part',
  async () => {
    await using cleanup = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-boards-'))
    cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const database = cleanup.use(await preparedDatabase())
    const surroundings = { PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href }
    const site = cleanup.use(await startSite({ databaseUrl: database.url, environment: surroundings }))
    const log = createLog({ level: 'error', process: 'worker' })
    const lifecycle = new Lifecycle(log)
    cleanup.defer(async () => void (await lifecycle.stop(10_000)))
    const config = readConfig(workerConfig, {
      DATABASE_URL: database.url,
      PATCHBAY_WORKER_FOLDER: join(folder, 'work'),
      ...surroundings,
    })
    let nonces = 0
    await startWorker({
      config,
      log,
      clock: systemClock,
      id: 'worker-1',
      lifecycle,
      createNonce: () => `nonce-${(nonces += 1)}`,
    })

    const owner = await makeAccount(site, 'ada')
    const workspace = await makeWorkspace({ site }, owner, 'ada', 'amplifier')
    await workspace.write('ecc83.kicad_pcb', new Uint8Array(readFileSync(BOARD)))
    const { tabId } = await workspace.add('viewer-3d-board')
    const patch = (state: Record<string, unknown>) =>
      workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, { state })
    await patch({ path: 'ecc83.kicad_pcb' })

    const browser = await sharedChromium({ args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
    const opened = await openPage(browser, {
      viewport: { width: 1_000, height: 700 },
      reducedMotion: 'reduce',
    })
    // Reading back what software has drawn is slow, and the browser says so now and then.
    await using visit = tolerating(opened, /GPU stall due to ReadPixels/)
    const { page } = visit
    await signIn(site, page, owner)
    await page.goto(site.url + workspace.path)
    await page.getByText(/^ecc83\.kicad_pcb · .* · 15 parts · 13 nets$/).waitFor({ timeout: 30_000 })
    await page.getByText(/^Models of \d+ of 15 parts$/).waitFor({ timeout: 120_000 })

    await page.getByRole('button', { name: 'Parts, nets and layers' }).click()
    await patch({ selected: 'U1', net: 'GND' })
    await page.getByRole('region', { name: 'Selected part' }).getByRole('heading', { name: 'U1' }).waitFor()
    await page.getByRole('tab', { name: 'Checks' }).click()
    await page.getByRole('button', { name: 'Run the check' }).click()
    await page.getByText(/^\d+ errors?, \d+ warnings?|No rule is broken\./).waitFor({ timeout: 120_000 })

    await page.getByRole('tab', { name: 'Parts' }).click()
    await page.getByLabel('Search', { exact: true }).fill('P3')
    await page.getByRole('option', { name: 'P3' }).click()
    const selected = async () => {
      const { tabs } = await workspace.current()
      return tabs.find((tab) => tab.tabId === tabId)?.state['selected']
    }
    await expect.poll(selected, { timeout: 20_000 }).toBe('P3')
  },
  400_000,
)
