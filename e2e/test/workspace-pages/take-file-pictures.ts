// The pictures of the panel of files, taken anew: `node e2e/test/workspace-pages/take-file-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { files, rowNamed } from './files.ts'
import { makeWorkspace, type Workspace } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const

const MAIN = `#include "led.h"

// Dims the lamp when it is dark.
int main(void) {
  led_init(LED_PIN);
  for (;;) {
    int level = read_brightness();
    led_set(level < 40 ? 255 - level * 6 : 0);
    wait_ms(200);
  }
}
`
const BETTER = MAIN.replace('wait_ms(200);', 'wait_ms(50);').replace(
  '    int level = read_brightness();\n',
  '    int level = average(read_brightness());\n    if (level < 0) continue;\n',
)

const CONTENT: Readonly<Record<string, string>> = {
  'README.md': '# Night lamp\n\nTwo layers, 42 × 42 mm.\n',
  'board/lamp.kicad_pcb': '(kicad_pcb (version 20241229))\n'.repeat(400),
  'board/lamp.kicad_sch': '(kicad_sch (version 20241229))\n'.repeat(200),
  'firmware/src/main.c': MAIN,
  'firmware/src/led.c': '#include "led.h"\n',
  'firmware/src/led.h': '#define LED_PIN 4\n',
  'firmware/platformio.ini': '[env:lamp]\nboard = esp32dev\n',
  'docs/measurements/night-1.csv': '0;3\n1;5\n'.repeat(900),
  'docs/measurements/a very long name that somebody gave to a table of measurements.csv': '0\n',
  LICENSE: 'Apache-2.0\n',
}

async function openSources(page: Page): Promise<void> {
  await rowNamed(page, 'firmware').press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await rowNamed(page, 'main.c').waitFor()
}

type Scene = (page: Page, workspace: Workspace) => Promise<void>

const SCENES: Record<string, Scene> = {
  text: async (page) => {
    await openSources(page)
    await rowNamed(page, 'main.c').press('Enter')
    await page.locator('.cm-line span').first().waitFor()
  },
  history: async (page) => {
    await openSources(page)
    await rowNamed(page, 'main.c').press('Enter')
    await files(page).getByRole('button', { name: 'History' }).click()
    await page.locator('.cm-changedLine').first().waitFor()
  },
  'all-history': async (page) => {
    await files(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'History of all files' }).click()
    await files(page).getByRole('list', { name: 'Changes' }).getByRole('button').nth(1).click()
    await files(page)
      .getByRole('button', { name: /^Wrote/ })
      .waitFor()
  },
  upload: async (page, workspace) => {
    // Of the look before this one.
    for (const path of ['firmware.bin', 'photo.jpg'])
      if ((await workspace.files()).includes(path))
        await workspace.callAsOwner('POST', ':workspace/files/changes', {
          operations: [{ op: 'delete', path }],
        })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 150_000,
    })
    await rowNamed(page, 'firmware').waitFor()
    const input = files(page).locator('input[type=file]:not([webkitdirectory])')
    await input.setInputFiles([
      { name: 'firmware.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(900_000, 1) },
      { name: 'README.md', mimeType: 'text/markdown', buffer: Buffer.from('# Lamp') },
      { name: 'nul.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(700_000, 2) },
    ])
    const bar = files(page).getByRole('progressbar', { name: 'firmware.bin' })
    await page.waitForFunction(
      (element) => Number(element?.getAttribute('aria-valuenow')) > 15,
      await bar.elementHandle(),
    )
  },
}

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const full = await makeWorkspace({ site }, ada, 'ada', 'lamp')
for (const [path, content] of Object.entries(CONTENT)) await full.write(path, content)
await full.write('firmware/src/main.c', BETTER)
await full.callAsOwner('POST', ':workspace/files/changes', {
  operations: [{ op: 'move', path: 'LICENSE', to: 'LICENSE.txt' }],
  reason: 'Windows shows it as a text file then',
})
await full.add('files')
const empty = await makeWorkspace({ site }, ada, 'ada', 'empty')
await empty.add('files')

async function take(name: string, workspace: Workspace, scene: Scene): Promise<void> {
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await signIn(site, page, ada)
    await page.goto(site.url + workspace.path)
    await files(page).getByRole('button', { name: 'New file' }).first().waitFor()
    await scene(page, workspace)
    await screenshot(page, join(FOLDER, `files-${name}-${look}.png`))
    await page.context().close()
  }
}

for (const [name, scene] of Object.entries(SCENES)) await take(name, full, scene)
await take('empty', empty, (page) => page.getByText('No files yet').waitFor())
