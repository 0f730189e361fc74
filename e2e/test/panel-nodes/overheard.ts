import type { BrowserMessage, WorkspaceMessage } from '@patchbay/contracts/panels'
import type { Page } from '@patchbay/testkit/chromium'

type Heard<Kind extends WorkspaceMessage['type']> = Extract<WorkspaceMessage, { type: Kind }>
type Said<Kind extends BrowserMessage['type']> = Extract<BrowserMessage, { type: Kind }>

/** What a page and its node say to each other, as the developer tools show it. */
export interface Overheard {
  readonly heard: <Kind extends WorkspaceMessage['type']>(type: Kind) => readonly Heard<Kind>[]
  /** What the page has said since it was let in for the last time: what it had still to say it said again. */
  readonly saidSinceOpened: () => readonly BrowserMessage[]
  readonly said: <Kind extends BrowserMessage['type']>(type: Kind) => readonly Said<Kind>[]
}

export function listenIn(page: Page): Overheard {
  const heard: WorkspaceMessage[] = []
  const said: BrowserMessage[] = []
  let saidBefore = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as WorkspaceMessage
      heard.push(message)
      if (message.type === 'opened') saidBefore = said.length
    })
    socket.on('framesent', ({ payload }) => said.push(JSON.parse(String(payload)) as BrowserMessage))
  })
  return {
    saidSinceOpened: () => said.slice(saidBefore),
    heard: <Kind extends WorkspaceMessage['type']>(type: Kind) =>
      heard.filter((message): message is Heard<Kind> => message.type === type),
    said: <Kind extends BrowserMessage['type']>(type: Kind) =>
      said.filter((message): message is Said<Kind> => message.type === type),
  }
}
