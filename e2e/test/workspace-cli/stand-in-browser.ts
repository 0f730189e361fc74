import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createContext, runInContext } from 'node:vm'
import {
  type BrowserCommand,
  type BrowserMessage,
  type SandboxResult,
  WORKSPACE_SOCKET_PATH,
  type WorkspaceMessage,
} from '@patchbay/contracts/panels'
import { waitUntil } from '@patchbay/testkit/processes'
import { PNG } from 'pngjs'
import { WebSocket } from 'ws'
import { pageHeaders } from '../installation/accounts.ts'

export interface StandInOptions {
  readonly url: string
  /** Of the person whose browser it is. */
  readonly session: string
  readonly owner: string
  readonly repo: string
}

type Opened = Extract<WorkspaceMessage, { type: 'opened' }>

/** Speaks for the page of a workspace: it is told what there is, runs code, and hands in pictures of one color. */
export interface StandInBrowser extends AsyncDisposable {
  readonly commands: readonly BrowserCommand[]
  /** Who did what, as the person is shown it. */
  readonly acted: readonly { readonly action: string; readonly reason?: string }[]
  share(isSharing: boolean): void
  /** "Not now": for so many seconds nobody is to ask. */
  decline(seconds: number): void
  setReady(tabId: string): void
}

export const PICTURE = { width: 40, height: 30, rgb: [12, 120, 240] } as const

export async function openStandIn(options: StandInOptions): Promise<StandInBrowser> {
  const { url, session, owner, repo } = options
  const headers = pageHeaders(session, url)
  const socket = new WebSocket(`${url.replace('http', 'ws')}${WORKSPACE_SOCKET_PATH}`, { headers })
  const commands: BrowserCommand[] = []
  const acted: { action: string; reason?: string }[] = []
  let [opened, isSharing]: [Opened | undefined, boolean] = [undefined, false]
  let quietSeconds = 0
  const attention = () => ({ isVisible: true, isFocused: true, isSharing })
  const send = (message: BrowserMessage) => socket.send(JSON.stringify(message))

  const takePicture = async (command: Extract<BrowserCommand, { kind: 'screenshot' }>) => {
    const picture = new PNG({ width: PICTURE.width, height: PICTURE.height })
    for (let at = 0; at < picture.data.length; at += 4) picture.data.set([...PICTURE.rgb, 255], at)
    const response = await fetch(
      `${url}/api/workspaces/editor/${owner}/${repo}/captures/${command.captureId}`,
      {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'image/png' },
        body: Uint8Array.from(PNG.sync.write(picture)),
      },
    )
    if (!response.ok) throw new Error(`the picture was refused: ${response.status} ${await response.text()}`)
  }

  const carryOut = async (id: string, command: BrowserCommand) => {
    commands.push(command)
    send({ type: 'taken', id })
    if (command.kind === 'eval') return send({ type: 'done', id, evaluation: evaluate(command.code) })
    if (command.kind === 'show') return send({ type: 'done', id })
    if (quietSeconds > 0)
      return send({
        type: 'failed',
        id,
        code: 'sharing_declined',
        message: 'not now',
        retryAfterSeconds: quietSeconds,
      })
    if (!isSharing && command.method === 'element-capture')
      return send({ type: 'failed', id, code: 'sharing_not_enabled', message: 'nobody shares' })
    await takePicture(command)
    const { width, height } = PICTURE
    const engine = command.method === 'html2canvas' ? 'snapdom' : 'restriction-target'
    send({ type: 'done', id, picture: { engine, width, height, scale: 1, wasActivated: false } })
  }

  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as WorkspaceMessage
    if (message.type === 'opened') opened = message
    if (message.type === 'acted') acted.push(...message.actions)
    if (message.type === 'command') void carryOut(message.id, message.command)
  })
  await once(socket, 'open')
  send({ type: 'open', owner, repo, browserId: randomUUID(), ...attention() })
  await waitUntil('the workspace is open', () => opened !== undefined, { deadlineMs: 20_000 })
  return {
    commands,
    acted,
    share(shares) {
      isSharing = shares
      send({ type: 'attention', ...attention() })
    },
    decline(seconds) {
      quietSeconds = seconds
    },
    setReady: (tabId) => send({ type: 'ready', tabId, isReady: true }),
    async [Symbol.asyncDispose]() {
      socket.close()
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
    },
  }
}

/** What the frame of a sandbox answers, as far as these commands are concerned. */
function evaluate(code: string): SandboxResult {
  const lines: { level: 'log' | 'warn'; text: string }[] = []
  const write = (level: 'log' | 'warn') => (text: unknown) => void lines.push({ level, text: String(text) })
  try {
    const context = createContext({ console: { log: write('log'), warn: write('warn') } })
    const result: unknown = runInContext(code, context, { timeout: 5_000 })
    const resultType = typeof result === 'string' ? 'string' : 'object'
    return {
      status: 'executed',
      durationMs: 1,
      console: lines,
      ...(result === undefined ? { resultType: 'undefined' } : { result, resultType }),
    }
  } catch (error) {
    return { status: 'error', error: String(error), durationMs: 1, console: lines }
  }
}
