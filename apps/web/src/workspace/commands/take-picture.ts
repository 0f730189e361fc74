import type { ActingParty, BrowserCommand, TakenPicture } from '@patchbay/contracts'
import type { CapturedPicture, Capturer } from '../capture-port.ts'
import { isSameParty } from '../consent/consent.ts'
import type { DockPort } from '../dock/dock-port.ts'
import type { Offers } from './offers.ts'
import { type Asked, CommandFault } from './run-command.ts'

type Screenshot = Extract<BrowserCommand, { kind: 'screenshot' }>

export interface PicturePorts {
  readonly capturer: Capturer
  readonly offers: Offers
  readonly dock: () => DockPort | undefined
  readonly askToShare: (asked: Asked) => void
  /** To whom the person has shown their screen. */
  readonly screenFor: () => ActingParty | undefined
  readonly upload: (captureId: string, png: Blob) => Promise<void>
}

const LOADING_MS = 4_000
const MOST_WAITING = 20

/** Takes pictures one after the other: two at once would bring each other's tabs to the front. */
export function createPictureTaker(ports: PicturePorts): (command: Screenshot) => Promise<TakenPicture> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (command) => {
    if (waiting >= MOST_WAITING) throw new CommandFault('cannot_capture', 'Too many pictures are being taken')
    waiting += 1
    const picture = last.then(() => take(command, ports))
    last = picture.catch(() => undefined)
    return await picture.finally(() => {
      waiting -= 1
    })
  }
}

async function take(command: Screenshot, ports: PicturePorts): Promise<TakenPicture> {
  const { picture, wasActivated } =
    command.method === 'html2canvas' ? await fromPanel(command, ports) : await fromScreen(command, ports)
  await ports.upload(command.captureId, picture.png)
  const { engine, width, height, scale } = picture
  return { engine, width, height, scale, wasActivated }
}

interface Taken {
  readonly picture: CapturedPicture
  readonly wasActivated: boolean
}

async function fromPanel({ tabId }: Screenshot, { offers }: PicturePorts): Promise<Taken> {
  const handlers = tabId === null ? undefined : await offers.find(tabId, LOADING_MS)
  if (handlers?.takePicture === undefined)
    throw new CommandFault('cannot_capture', 'This panel takes no pictures of itself')
  return { picture: { ...(await handlers.takePicture()), engine: 'snapdom' }, wasActivated: false }
}

async function fromScreen(command: Screenshot, ports: PicturePorts): Promise<Taken> {
  const { capturer } = ports
  if (!capturer.isSharing(command.scope) || isScreenOfAnother(command, ports)) {
    ports.askToShare({ by: command.by, reason: command.reason, scope: command.scope })
    throw new CommandFault('sharing_not_enabled', 'The person has been asked to share')
  }
  if (command.scope === 'screen')
    return { picture: await capturer.capture({ scope: 'screen', element: null }), wasActivated: false }
  const dock = ports.dock()
  if (dock === undefined) throw new CommandFault('cannot_capture', 'The workspace is not shown yet')
  if (command.scope === 'workspace')
    return {
      picture: await capturer.capture({ scope: 'workspace', element: dock.element }),
      wasActivated: false,
    }
  return await ofTab(command.tabId ?? '', dock, capturer)
}

/** A screen was shared for one picture of the one who asked: nobody else may be quicker. */
function isScreenOfAnother({ scope, by }: Screenshot, { screenFor }: PicturePorts): boolean {
  const allowed = screenFor()
  return scope === 'screen' && (allowed === undefined || !isSameParty(allowed, by))
}

async function ofTab(tabId: string, dock: DockPort, capturer: Capturer): Promise<Taken> {
  const shown = await dock.bringForward(tabId)
  if (shown === undefined) throw new CommandFault('no_such_tab', 'The tab is not in this page')
  try {
    const picture = await capturer.capture({ scope: 'panel', element: shown.element })
    return { picture, wasActivated: shown.wasActivated }
  } finally {
    shown.putBack()
  }
}
