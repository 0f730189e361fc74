/// <reference lib="dom" />

import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AddedTab } from '@patchbay/contracts/panels'
import { openPage, type Page, startChromium } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { type Browser, insertPeople, insertSessions, openBrowsers } from '../identity/people.ts'
import { temporaryFolder } from '../processes.ts'
import { startDatabase, startServer } from '../server.ts'

/** Not a part of the bench's program: it is a test's own, and read as it is. */
const BUILD_APP = new URL('../../../apps/web/test/build-app.ts', import.meta.url)
const DEMOS = '/usr/share/kicad/demos'

export const BOARDS = [
  { name: 'pic_programmer', file: join(DEMOS, 'pic_programmer/pic_programmer.kicad_pcb') },
  { name: 'StickHub', file: join(DEMOS, 'stickhub/StickHub.kicad_pcb') },
] as const

export interface Picture {
  /** From the press on the file to the picture, in a browser that has never seen it. */
  readonly coldMs: number
  /** The same after a reload. */
  readonly keptMs: number
}

export interface PictureFigures {
  readonly name: string
  readonly bytes: number
  readonly rounds: readonly Picture[]
}

/** A board that was read and drawn when it had to be kept, or the other way around, is another measurement. */
export function requireDrawn(drawn: number, wanted: number): void {
  if (drawn !== wanted) throw new Error(`the board was drawn ${drawn} times instead of ${wanted}`)
}

/** The first picture of a board in the product, in Chromium. */
export async function measurePictures(rounds: number): Promise<readonly PictureFigures[]> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await temporaryFolder()).path
  const app = (await import(BUILD_APP.href)) as { readonly buildApp: () => Promise<string> }
  const database = parts.use(await startDatabase())
  const server = parts.use(
    await startServer({
      databaseUrl: database.url,
      env: {
        PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
        PATCHBAY_WEB_ROOT: await app.buildApp(),
      },
    }),
  )
  await insertPeople(database.client)
  await insertSessions(database.client)
  const [person] = await openBrowsers(server.port)
  if (person === undefined) throw new Error('nobody is there')
  const site = `http://localhost:${server.port}`
  const workspace = await makeWorkspace(site, person)
  const chromium = parts.use(
    await startChromium({ args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] }),
  )
  const figures: PictureFigures[] = []
  for (const { name, file } of BOARDS) {
    const measured: Picture[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { page } = await openPage(chromium, { viewport: { width: 1_000, height: 700 } })
      try {
        await page.context().addCookies([cookieOf(person, site)])
        measured.push(await measureBoard(page, basename(file), workspace))
      } finally {
        await page.context().close()
      }
    }
    figures.push({ name, bytes: (await readFile(file)).byteLength, rounds: measured })
  }
  return figures
}

interface Workspace {
  readonly url: string
  /** The panel shows no board. */
  readonly clear: () => Promise<void>
}

async function makeWorkspace(site: string, { cookie, csrf }: Browser): Promise<Workspace> {
  const headers = { cookie, 'x-csrf-token': csrf, origin: site }
  const base = `${site}/api/workspaces/editor/bench-0/pictures`
  const call = async (method: string, path: string, type: string, body: Uint8Array<ArrayBuffer> | string) => {
    const sent = { ...headers, 'content-type': type, ...(method === 'PUT' && { 'if-match': '*' }) }
    const answer = await fetch(base + path, { method, headers: sent, body })
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const made = await fetch(base, { method: 'PUT', headers })
  if (!made.ok) throw new Error(`no workspace: ${made.status}`)
  for (const { file } of BOARDS)
    await call(
      'PUT',
      `/files/content?path=${basename(file)}`,
      'application/octet-stream',
      new Uint8Array(await readFile(file)),
    )
  const json = (method: string, path: string, body: unknown) =>
    call(method, path, 'application/json', JSON.stringify(body))
  const added = await json('POST', '/current/tabs', { panelType: 'viewer-3d-board', initialState: {} })
  const { tabId } = (await added.json()) as AddedTab
  return {
    url: `${site}/workspaces/bench-0/pictures`,
    clear: async () => void (await json('PATCH', `/current/tabs/${tabId}`, { state: { path: null } })),
  }
}

/** Chromium takes a `__Host-` cookie for https alone, and then sends it to http on localhost as well. */
function cookieOf({ cookie }: Browser, site: string) {
  const [name = '', value = ''] = cookie.split('=')
  return { name, value, url: site.replace('http:', 'https:'), secure: true }
}

async function measureBoard(page: Page, file: string, workspace: Workspace): Promise<Picture> {
  let drawn = 0
  page.on('worker', (worker) => {
    if (worker.url().includes('board.worker')) drawn += 1
  })
  const coldMs = await timeOf(page, file, workspace)
  requireDrawn(drawn, 1)
  await waitUntil('the board is kept', () => page.evaluate(countKept), { deadlineMs: 60_000 })
  const keptMs = await timeOf(page, file, workspace)
  requireDrawn(drawn, 1)
  return { coldMs, keptMs }
}

/** On a page that was just loaded. */
async function timeOf(page: Page, file: string, { url, clear }: Workspace): Promise<number> {
  await clear()
  await page.goto(url)
  await page.getByText('No board yet').waitFor()
  await page.getByRole('button', { name: 'Choose a board' }).click()
  const choice = page.getByRole('button', { name: file })
  await choice.waitFor()
  return await choice.evaluate(async (button) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const start = performance.now()
    ;(button as HTMLElement).click()
    while (!/ · \d+ parts/.test(document.body.textContent)) await frame()
    // What was put on the stage is drawn in the next frame, and seen after it.
    await frame()
    await frame()
    return performance.now() - start
  })
}

async function countKept(): Promise<boolean> {
  const answered = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve) => request.addEventListener('success', () => resolve(request.result)))
  const database = await answered(indexedDB.open('patchbay-boards'))
  const count = await answered(database.transaction('scenes').objectStore('scenes').count())
  database.close()
  return count > 0
}
