import { randomUUID } from 'node:crypto'
import { type Paste, VIEWER_SOCKET_PATH, type ViewerMessage } from '@patchbay/contracts/viewer'
import { waitUntil } from '@patchbay/testkit/processes'
import { WebSocket } from 'ws'

/** An open page, as the viewer sees one. */
export interface TestPage extends AsyncDisposable {
  readonly received: readonly ViewerMessage[]
  /** Pastes that it was told of, oldest first. */
  pastes(): readonly Paste[]
  send(message: unknown): void
  readonly closed: Promise<number>
}

export async function openPage(url: string): Promise<TestPage> {
  const socket = new WebSocket(url.replace('http:', 'ws:') + VIEWER_SOCKET_PATH)
  const received: ViewerMessage[] = []
  socket.on('message', (data: Buffer) => void received.push(JSON.parse(data.toString()) as ViewerMessage))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  send({ type: 'open', pageId: randomUUID(), showing: null, isVisible: true, isFocused: true })
  await waitUntil('the page is known', () => received.length > 0, { deadlineMs: 20_000, intervalMs: 5 })
  return {
    received,
    pastes: () => received.flatMap((message) => (message.type === 'paste' ? [message.paste] : [])),
    send,
    closed,
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closed
    },
  }
}
