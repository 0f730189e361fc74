import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Paste,
  SCREENSHOT_PASTE_PATH,
  UPLOAD_GRANT_HEADER,
  UPLOAD_NONCE_META,
  UPLOAD_NONCE_PLACEHOLDER,
} from '@patchbay/contracts'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess } from '@patchbay/testkit/processes'
import { listens } from '../gateway/side.ts'

export interface RunningViewer extends AsyncDisposable {
  readonly running: RunningProcess
  /** Pastes once; answers when both files are saved. */
  paste(picture: Uint8Array<ArrayBuffer>): Promise<Paste>
}

const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))
const LOOP_HOOK = new URL('./loop-hook.ts', import.meta.url)
/** All that the measurement needs of the page; so it runs without the pages being built. */
const PAGE = `<meta name="${UPLOAD_NONCE_META}" content="${UPLOAD_NONCE_PLACEHOLDER}" />`
const NONCE = new RegExp(`name="${UPLOAD_NONCE_META}"\\s+content="([^"]+)"`)

/** The product as a person starts it, in a project of its own. Looking for names would be another measurement. */
export async function startViewer(): Promise<RunningViewer> {
  await using starting = new AsyncDisposableStack()
  const project = await mkdtemp(join(tmpdir(), 'patchbay-bench-viewer-'))
  starting.defer(() => rm(project, { recursive: true, force: true }))
  const webRoot = join(project, 'pages')
  await mkdir(webRoot)
  await writeFile(join(webRoot, 'viewer.html'), PAGE)
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const port = await freePort()
  const running = starting.use(
    startProcess(process.execPath, ['--import', LOOP_HOOK.href, CLI, 'viewer'], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH,
        TMPDIR,
        PATCHBAY_VIEWER_PORT: `${port}`,
        PATCHBAY_VIEWER_PROJECT: project,
        PATCHBAY_VIEWER_NAMING: 'off',
        PATCHBAY_WEB_ROOT: webRoot,
        PATCHBAY_DRAIN_SECONDS: '3',
        PATCHBAY_LOG_LEVEL: 'warn',
      },
    }),
  )
  await listens(running, port)
  const url = `http://127.0.0.1:${port}`
  const headers = {
    [UPLOAD_GRANT_HEADER]: await askForGrant(url),
    'content-type': 'application/octet-stream',
  }
  const parts = starting.move()
  return {
    running,
    async paste(picture) {
      const answer = await fetch(`${url}/api/pastes`, { method: 'POST', headers, body: picture })
      if (answer.status !== 201)
        throw new Error(`a paste was answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Paste
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

async function askForGrant(url: string): Promise<string> {
  const page = await (await fetch(url + SCREENSHOT_PASTE_PATH)).text()
  const nonce = NONCE.exec(page)?.[1]
  if (nonce === undefined) throw new Error('the widget has no nonce')
  const answer = await fetch(`${url}/api/upload-grants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce }),
  })
  return ((await answer.json()) as { grant: string }).grant
}
