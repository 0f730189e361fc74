import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPacked } from '@patchbay/testkit/packed'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { startInstallation } from './installation.ts'
import { PICTURE } from './stand-in-browser.ts'

const GUIDE = new URL('../../../docs/guides/drive-a-workspace.md', import.meta.url)
/** The oldest Node that the package promises to run on; without it, the one that runs this. */
const NODE = process.env['PATCHBAY_OLD_NODE'] ?? process.execPath

test('[CL-114] the program of the guide runs as it is, with the packed package and on the oldest Node', async () => {
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(await readFile(GUIDE, 'utf8')) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-drive-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  await installPacked('client', folder)
  await writeFile(join(folder, 'drive.mjs'), program)
  await using site = await startInstallation()
  await using running = startProcess(NODE, ['drive.mjs'], {
    cwd: folder,
    env: { PATCHBAY_SERVER_URL: site.url, PATCHBAY_API_KEY: await site.apiKey(), HOME: folder },
  })
  const tabs = async () => {
    const headers = { 'x-api-key': await site.apiKey() }
    const response = await fetch(`${site.url}/api/workspaces/editor/ada/board/current`, { headers })
    const { tabs: found = [] } = (await response.json()) as { tabs?: { tabId: string; kind: string }[] }
    return found
  }
  await waitUntil('the panels are there', async () => (await tabs()).length === 2, {
    deadlineMs: 60_000,
    intervalMs: 300,
  })
  await using browser = await site.open('ada/board')
  browser.setReady((await tabs()).find(({ kind }) => kind === 'sandbox')?.tabId ?? '')
  const isAsked = () => browser.commands.some(({ kind }) => kind === 'screenshot')
  await waitUntil('the person is asked to share', isAsked, { deadlineMs: 60_000 })
  browser.share(true)
  await waitUntil('it has ended', () => running.child.exitCode !== null, { deadlineMs: 60_000 })
  expect(running.output()).toBe('executed 42\nboard.png is 40 × 30\n')
  const picture = PNG.sync.read(await readFile(join(folder, 'board.png')))
  expect([...picture.data.subarray(0, 3)]).toEqual([...PICTURE.rgb])
}, 240_000)
