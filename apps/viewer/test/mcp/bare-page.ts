import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { VIEWER_SOCKET_PATH, type ViewerMessage, type ViewerPageMessage } from '@patchbay/contracts/viewer'
import { waitUntil } from '@patchbay/testkit/processes'
import { WebSocket } from 'ws'

/** What a page says on its connection, without the page. */
export interface BarePage extends AsyncDisposable {
  /** The titles of the widgets that it was asked to show. */
  readonly shown: readonly (string | null)[]
}

/** `answers`: whether it says that the widget is there. */
export async function openBarePage(viewerUrl: string, { answers = true } = {}): Promise<BarePage> {
  const shown: (string | null)[] = []
  let isKnown = false
  const socket = new WebSocket(new URL(VIEWER_SOCKET_PATH, viewerUrl.replace('http:', 'ws:')), {
    origin: viewerUrl,
  })
  const say = (message: ViewerPageMessage) => socket.send(JSON.stringify(message))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as ViewerMessage
    if (message.type === 'active') isKnown = true
    if (message.type !== 'show') return
    shown.push(message.title)
    if (answers) say({ type: 'shown', id: message.id })
  })
  await once(socket, 'open')
  say({ type: 'open', pageId: randomUUID(), showing: null, isVisible: true, isFocused: true })
  await waitUntil('the viewer knows the page', () => isKnown)
  return {
    shown,
    async [Symbol.asyncDispose]() {
      socket.close()
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
    },
  }
}
