import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { files, rowNamed, soon, useFiles } from './files.ts'

const bench = useFiles()
const uploads = (page: Page) => files(page).getByRole('region', { name: 'Uploads' })

/** A folder of this computer. */
async function makeFolder(content: Readonly<Record<string, string | Buffer>>) {
  const root = await mkdtemp(join(tmpdir(), 'patchbay-uploads-'))
  for (const [path, bytes] of Object.entries(content)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), bytes)
  }
  return {
    root,
    at: (path: string) => join(root, path),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

/** Drops files and folders of this computer, as a hand with a mouse does. A page's own script could only pretend. */
async function dropFiles(page: Page, place: Locator, paths: readonly string[]): Promise<void> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('there is no place to drop files on')
  const devtools = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    })
}

/** Bytes of each second; −1 for as many as it takes. */
async function slowDown(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  return (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
}

test('[W-506] files and a folder are dropped on a folder, with their progress; one is canceled', async () => {
  await using folder = await makeFolder({
    'firmware.bin': Buffer.alloc(400_000, 7),
    'other.bin': Buffer.alloc(400_000, 8),
    'lib/led.c': 'int led;\n',
    'lib/deep/er/motor.c': 'int motor;\n',
    'lib/.git/config': 'x',
  })
  const workspace = await bench.make({ 'build/readme.txt': 'r', 'main.c': 'm' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await rowNamed(page, 'build').waitFor()
  const setSpeed = await slowDown(page)
  await setSpeed(60_000)
  await dropFiles(page, rowNamed(page, 'build'), ['firmware.bin', 'other.bin'].map(folder.at))
  const bar = uploads(page).getByRole('progressbar', { name: 'build/firmware.bin' })
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow')), soon).toBeGreaterThan(0)
  await uploads(page).getByText('Uploading 1 of 2 files').waitFor()
  await uploads(page).getByRole('button', { name: 'Cancel build/other.bin' }).click()
  await setSpeed(-1)
  await uploads(page).waitFor({ state: 'detached' })
  await page.getByText('Uploaded 1 file').waitFor()
  expect(await workspace.files()).toEqual(['build/firmware.bin', 'build/readme.txt', 'main.c'])

  await dropFiles(page, files(page).getByRole('tree'), [folder.at('lib')])
  await page.getByText('Left out lib/.git').waitFor()
  await expect
    .poll(() => workspace.files(), soon)
    .toEqual(['build/firmware.bin', 'build/readme.txt', 'lib/deep/er/motor.c', 'lib/led.c', 'main.c'])
  await rowNamed(page, 'lib').getByText('2 files').waitFor()
})

test('[W-507] what is there already is replaced only when the person says so', async () => {
  const workspace = await bench.make({ 'a.txt': 'theirs a', 'b.txt': 'theirs b', 'c.txt': 'theirs c' })
  await using visit = await bench.open(workspace, { expectedFaults: [/status of 412/] })
  const { page } = visit
  await rowNamed(page, 'a.txt').waitFor()
  const input = files(page).locator('input[type=file]:not([webkitdirectory])')
  const choose = (...names: readonly string[]) =>
    input.setInputFiles(
      names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`mine ${name}`) })),
    )
  await choose('a.txt', 'new.txt')
  await uploads(page).getByText('a.txt already exists').waitFor()
  await expect.poll(() => workspace.files(), soon).toContain('new.txt')
  await uploads(page).getByRole('button', { name: 'Keep theirs' }).click()
  await uploads(page).waitFor({ state: 'detached' })
  expect(await workspace.read('a.txt')).toBe('theirs a')

  await choose('a.txt', 'b.txt', 'c.txt')
  await uploads(page).getByText('3 files already exist').waitFor()
  // Somebody changes one of them while the person thinks.
  await workspace.write('b.txt', 'newer b')
  await uploads(page).getByRole('button', { name: 'Overwrite all' }).click()
  await uploads(page).getByText('b.txt was changed meanwhile').waitFor()
  await expect.poll(() => workspace.read('a.txt'), soon).toBe('mine a.txt')
  expect(await workspace.read('b.txt')).toBe('newer b')
  await uploads(page).getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(() => workspace.read('b.txt'), soon).toBe('mine b.txt')
  await uploads(page).waitFor({ state: 'detached' })
})

test('[W-506] what is refused says why, and the rest is stored', async () => {
  const workspace = await bench.make({ 'docs/a.md': 'a', Case: 'x' })
  await using visit = await bench.open(workspace, { expectedFaults: [/status of 409/] })
  const { page } = visit
  await rowNamed(page, 'docs').waitFor()
  const input = files(page).locator('input[type=file]:not([webkitdirectory])')
  const names = ['con.txt', 'case', 'fine.txt']
  await input.setInputFiles(
    names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
  )
  await uploads(page).getByText('is the name of a device on Windows').waitFor()
  await uploads(page).getByText('“Case” already exists').waitFor()
  await uploads(page).getByText('2 files not uploaded').waitFor()
  expect(await workspace.files()).toEqual(['Case', 'docs/a.md', 'fine.txt'])
  await uploads(page).getByRole('button', { name: 'Dismiss con.txt' }).click()
  await uploads(page).getByRole('button', { name: 'Dismiss all' }).click()
  await uploads(page).waitFor({ state: 'detached' })
})

test('[W-506] a server that is away is told, and the file is sent when asked again', async () => {
  const workspace = await bench.make({ 'a.txt': 'a' })
  await using visit = await bench.open(workspace, { expectedFaults: [/ERR_FAILED/] })
  const { page } = visit
  await rowNamed(page, 'a.txt').waitFor()
  let isDown = true
  await page.route(/\/files\/content/, (route) => (isDown ? route.abort() : route.continue()))
  await files(page)
    .locator('input[type=file]:not([webkitdirectory])')
    .setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') })
  await uploads(page).getByText('The server cannot be reached').waitFor()
  isDown = false
  await uploads(page).getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => workspace.files(), soon).toContain('b.txt')
})

test('[W-506] leaving the page while something is on its way asks first', async () => {
  const workspace = await bench.make({ 'a.txt': 'a' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await rowNamed(page, 'a.txt').click()
  const setSpeed = await slowDown(page)
  await setSpeed(10_000)
  await files(page)
    .locator('input[type=file]:not([webkitdirectory])')
    .setInputFiles({ name: 'b.bin', mimeType: 'text/plain', buffer: Buffer.alloc(300_000) })
  await uploads(page).getByRole('progressbar').waitFor()
  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await closing
  await uploads(page).getByRole('button', { name: 'Cancel all' }).click()
  await uploads(page).waitFor({ state: 'detached' })
  expect(await workspace.files()).toEqual(['a.txt'])
})
