import { randomUUID } from 'node:crypto'
import { closeCodeName } from '@patchbay/contracts/core'
import {
  type BrowserMessage,
  type LayoutChange,
  WORKSPACE_SOCKET_PATH,
  type WorkspaceMessage,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { waitUntil } from '@patchbay/testkit/processes'
import { WebSocket } from 'ws'
import { pageIdOf } from '../../src/rooms/page-id.ts'
import { headersOf, uuidOf } from '../access.ts'

type MessageOf<Kind extends WorkspaceMessage['type']> = Extract<WorkspaceMessage, { type: Kind }>
export type Command = MessageOf<'command'>

export interface BrowserOptions {
  readonly handle: string
  readonly at: WorkspaceRef
  readonly browserId: string
  readonly isVisible: boolean
  readonly isFocused: boolean
  /** What it does with a command; says `taken` and `done` unless told otherwise. */
  readonly onCommand: (command: Command, browser: TestBrowser) => void
  /** Whether it sends `open` and waits for what comes back. */
  readonly opens: boolean
}

/** Speaks the protocol of a workspace page over a real socket. */
export interface TestBrowser extends AsyncDisposable {
  /** As the server and everybody else know it. */
  readonly browserId: string
  readonly received: readonly WorkspaceMessage[]
  readonly commands: readonly Command[]
  readonly socket: WebSocket
  send(message: BrowserMessage | Record<string, unknown>): void
  change(change: LayoutChange, id?: string): string
  attend(attention: { isVisible?: boolean; isFocused?: boolean; isSharing?: boolean }): void
  ready(tabId: string, isReady?: boolean): void
  look(tabId: string | null, following?: string | null): void
  /** Who is there by the last `people`, in short: `bob:<tab id or null>`. */
  people(): string[]
  all<Kind extends WorkspaceMessage['type']>(type: Kind): MessageOf<Kind>[]
  /** The first message that fits, whether it has come or is still to come. */
  heard<Kind extends WorkspaceMessage['type']>(
    type: Kind,
    fits?: (message: MessageOf<Kind>) => boolean,
  ): Promise<MessageOf<Kind>>
  /** The answer to a change or state: `changed`, `states` or `refused`. */
  answered(id: string): Promise<WorkspaceMessage>
  isOwner(): boolean
  /** By the name of its code. */
  closed(): Promise<string | undefined>
}

export const carryOut: BrowserOptions['onCommand'] = ({ id }, browser) => {
  browser.send({ type: 'taken', id })
  browser.send({ type: 'done', id })
}

const PATIENCE = { deadlineMs: 20_000, intervalMs: 5 }

export function connect(url: string, handle: string, headers: Record<string, string> = {}): WebSocket {
  return new WebSocket(url.replace('http', 'ws') + WORKSPACE_SOCKET_PATH, {
    headers: { ...headersOf(handle, { kind: 'browser' }), origin: 'http://patchbay.localhost', ...headers },
  })
}

export async function openBrowser(url: string, given: Partial<BrowserOptions> = {}): Promise<TestBrowser> {
  const {
    handle = 'ada',
    at = { owner: 'ada', repo: 'board' },
    browserId = randomUUID(),
    isVisible = true,
    isFocused = true,
    onCommand = carryOut,
    opens = true,
  } = given
  const socket = connect(url, handle)
  const received: WorkspaceMessage[] = []
  const commands: Command[] = []
  let closedAs: string | undefined
  let isClosed = false
  let attention = { isVisible, isFocused, isSharing: false }
  const closing = new Promise<void>((resolve) => {
    socket.on('close', (code) => {
      isClosed = true
      closedAs = closeCodeName(code)
      resolve()
    })
  })
  // Kept by id: a thousand of them are waited for at once, and searching for each would take longer than answering.
  const answers = new Map<string, PromiseWithResolvers<WorkspaceMessage>>()
  const answerTo = (id: string) => {
    const known = answers.get(id)
    if (known !== undefined) return known
    const fresh = Promise.withResolvers<WorkspaceMessage>()
    answers.set(id, fresh)
    return fresh
  }
  const find = <Kind extends WorkspaceMessage['type']>(type: Kind, fits: (one: MessageOf<Kind>) => boolean) =>
    received.find((one): one is MessageOf<Kind> => one.type === type && fits(one as MessageOf<Kind>))
  const browser: TestBrowser = {
    browserId: pageIdOf(uuidOf(handle), browserId),
    received,
    commands,
    socket,
    send: (message) => socket.send(JSON.stringify(message)),
    change(change, id = randomUUID()) {
      browser.send({ type: 'change', id, change })
      return id
    },
    attend(next) {
      attention = { ...attention, ...next }
      browser.send({ type: 'attention', ...attention })
    },
    ready: (tabId, isReady = true) => browser.send({ type: 'ready', tabId, isReady }),
    look: (tabId, following = null) => browser.send({ type: 'look', tabId, following }),
    people: () =>
      (browser.all('people').at(-1)?.pages ?? []).map((page) => `${page.handle}:${page.tabId}`).toSorted(),
    all: (type) => received.filter((one): one is MessageOf<typeof type> => one.type === type),
    async heard(type, fits = () => true) {
      await waitUntil(
        `${type} arrives (closed: ${isClosed})`,
        () => isClosed || find(type, fits) !== undefined,
        PATIENCE,
      )
      const found = find(type, fits)
      if (found === undefined) throw new Error(`closed as ${closedAs} before ${type} came`)
      return found
    },
    answered: (id) => answerTo(id).promise,
    isOwner: () => browser.all('owner').at(-1)?.isYou === true,
    async closed() {
      await waitUntil('the connection closes', () => isClosed, { ...PATIENCE, deadlineMs: 30_000 })
      return closedAs
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closing
    },
  }
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as WorkspaceMessage
    received.push(message)
    if ('ids' in message) for (const id of message.ids) answerTo(id).resolve(message)
    if (message.type === 'refused') answerTo(message.id).resolve(message)
    if (message.type !== 'command') return
    commands.push(message)
    onCommand(message, browser)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => undefined)
  if (!opens) return browser
  browser.send({ type: 'open', owner: at.owner, repo: at.repo, browserId, ...attention })
  await waitUntil('the workspace opens or not', () => isClosed || received.length > 0, PATIENCE)
  return browser
}

/** Waits until it has been told that it is the one that acts. */
export async function becomesOwner(browser: TestBrowser, deadlineMs = 20_000): Promise<void> {
  await waitUntil('the browser acts', () => browser.isOwner(), { deadlineMs, intervalMs: 5 })
}
