import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, type PageOptions, sharedChromium } from '@patchbay/testkit/chromium'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'

const EXAMPLE = fileURLToPath(new URL('../../../examples/connect-service/src/main.ts', import.meta.url))

export interface TokenRecord {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: number
}

/** The example service as its README starts it, with its gateway and provider, and somebody with a browser. */
export async function startExample(pageOptions: PageOptions = {}) {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-example-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const { PATH = '' } = process.env
  const example = stack.use(
    startProcess(process.execPath, [EXAMPLE], {
      env: { PATH, HOME: folder, TMPDIR: tmpdir(), EXAMPLE_PORT: String(port), EXAMPLE_FOLDER: folder },
    }),
  )
  await waitUntil('the example listens', () => example.output().includes('tokens  '), { deadlineMs: 30_000 })
  const browser = await sharedChromium()
  const opened = stack.use(await openPage(browser, pageOptions))
  const owned = stack.move()

  const recordPath = async () => {
    const names = await readdir(join(folder, 'tokens'), { recursive: true })
    const found = names.find((name) => name.endsWith('.json'))
    if (found === undefined) throw new Error(`no record among ${names.join(', ')}`)
    return join(folder, 'tokens', found)
  }
  return {
    page: opened.page,
    url: `http://localhost:${port}`,
    record: async () => JSON.parse(await readFile(await recordPath(), 'utf8')) as TokenRecord,
    recordMode: async () => (await stat(await recordPath())).mode & 0o777,
    async expire() {
      const path = await recordPath()
      const record = JSON.parse(await readFile(path, 'utf8')) as TokenRecord
      await writeFile(path, JSON.stringify({ ...record, expiresAt: 1 }), { mode: 0o600 })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export type Look = (name: string, page: Page) => Promise<void>

/** Click, sign in, consent, confirm, done. Returns what the person saw on their way. */
export async function connectAsAda(
  { page, url }: { page: Page; url: string },
  look: Look,
): Promise<string[]> {
  const addresses: string[] = []
  await page.goto(url)
  await page.getByText('Not connected').waitFor()
  await look('service', page)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Connect to Example ID' }).click(),
  ])
  tab.on('framenavigated', (frame) => addresses.push(frame.url()))
  await tab.getByRole('button', { name: /Ada Lovelace/ }).waitFor()
  // The tab may have been there before anybody listened.
  addresses.push(tab.url())
  await look('sign-in', tab)
  await tab.getByRole('button', { name: /Ada Lovelace/ }).click()
  await tab.getByRole('button', { name: 'Allow' }).waitFor()
  await look('consent', tab)
  await tab.getByRole('button', { name: 'Allow' }).click()
  await tab.getByRole('heading', { name: 'Connect this application?' }).waitFor()
  await page
    .locator('#words strong')
    .filter({ hasText: /\w+ \w+ \w+/ })
    .waitFor()
  const [shownHere, shownThere] = [
    await page.locator('#words strong').textContent(),
    await tab.locator('.phrase strong').textContent(),
  ]
  if (shownHere !== shownThere) throw new Error(`the words differ: ${shownHere}, ${shownThere}`)
  await look('waiting', page)
  await look('confirm', tab)
  await tab.getByRole('button', { name: 'Connect' }).click()
  await tab.getByRole('heading', { name: 'Connected' }).waitFor()
  await look('done', tab)
  await page.getByText('Connected as Ada Lovelace').waitFor()
  await look('connected', page)
  return addresses
}
