import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { createUser } from '@patchbay/cli/test/user'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount, openSession } from '../installation/accounts.ts'
import { createApiKey } from '../workspace-cli/api-key.ts'

/** Debian's, which has Debian's packages. */
const PYTHON = '/usr/bin/python3'
const hasPaho = spawnSync(PYTHON, ['-c', 'import paho.mqtt.publish']).status === 0
const soon = { timeout: 30_000 }

test.skipIf(!hasPaho)(
  '[J-112][W-722] a device is added, three lines of Python send a value, and a plot shows it',
  async () => {
    await using site = await startSite({ environment: { PATCHBAY_MQTT_PORT: '0' } })
    const ada = await makeAccount(site, 'ada')
    const scopes = ['panels:ada/*', 'devices:command:ada/*']
    const apiKey = await createApiKey(site.url, await openSession(site, ada), scopes)
    await using shell = await createUser({ PATCHBAY_SERVER_URL: site.url, PATCHBAY_API_KEY: apiKey })
    expect((await shell.run('workspace', 'make', 'ada/board')).code).toBe(0)
    const { stdout } = await shell.run('device', 'add', 'ada/board', 'thermometer')
    const printed = stdout.split('\n')
    const begin = printed.findIndex((line) => line.startsWith('from paho'))
    const program = printed.slice(begin, begin + 3).join('\n')
    const run = promisify(execFile)
    await run(PYTHON, ['-c', program])

    await using visit = await openPage(await sharedChromium(), { reducedMotion: 'reduce' })
    const { page } = visit
    await signIn(site, page, ada)
    await page.goto(`${site.url}/workspaces/ada/board`)
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('temperature graph')
    await page.getByRole('option', { name: /^Temperature graph/ }).click()
    await page.getByRole('button', { name: 'Use thermometer' }).click(soon)
    const line = page.getByRole('table', { name: /./ }).getByRole('row', { name: /temperature/i })
    await line.first().waitFor(soon)
    await run(PYTHON, ['-c', program.replace('21.5', '23.5')])
    await expect.poll(() => line.first().innerText(), soon).toContain('23.5')
    expect(visit.faults()).toEqual([])
  },
  120_000,
)
