import type { ActingParty, BrowserCommand, TakenPicture } from '@patchbay/contracts/panels'
import { isSameParty } from '../acting-party.ts'
import type { CapturedPicture, Capturer } from '../capture-port.ts'
import type { DockPort } from '../dock-port.ts'
import { words } from '../words.tsx'
import type { Offers } from './offers.ts'
import { type Asked, CommandFault } from './run-command.ts'

type Screenshot = Extract<BrowserCommand, { kind: 'screenshot' }>

/** Who asked for the picture that a screen is shared for, or everybody where the person shares it from the bar. */
export type ScreenAudience = ActingParty | 'everyone'

export interface PicturePorts {
  readonly capturer: Capturer
  readonly offers: Offers
  readonly dock: () => DockPort | undefined
  /** Answers with how many seconds they are not asked, because the person declined; else with 0. */
  readonly askToShare: (asked: Asked) => number
  /** To whom the person has shown their screen. */
  readonly screenFor: () => ScreenAudience | undefined
  readonly upload: (captureId: string, png: Blob) => Promise<void>
}

const LOADING_MS = 4_000
/** Of the time that whoever asks has given: to bring the tab forward, and to hand in the picture. */
const AROUND_PICTURE_MS = 3_000
const MOST_WAITING = 20

/** Takes pictures one after the other: two at once would bring each other's tabs to the front. */
export function createPictureTaker(
  ports: PicturePorts,
): (command: Screenshot, deadlineMs: number) => Promise<TakenPicture> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (command, deadlineMs) => {
    if (waiting >= MOST_WAITING) throw new CommandFault('cannot_capture', words.commands.tooMany)
    waiting += 1
    const withinMs = Math.max(0, deadlineMs - AROUND_PICTURE_MS)
    const picture = last.then(() => take(command, withinMs, ports))
    last = picture.catch(() => undefined)
    return await picture.finally(() => {
      waiting -= 1
    })
  }
}

async function take(command: Screenshot, withinMs: number, ports: PicturePorts): Promise<TakenPicture> {
  const { picture, wasActivated } =
    command.method === 'html2canvas'
      ? await fromPanel(command, ports)
      : await fromScreen(command, withinMs, ports)
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
    throw new CommandFault('cannot_capture', words.commands.noScreenshots)
  return { picture: { ...(await handlers.takePicture()), engine: 'snapdom' }, wasActivated: false }
}

async function fromScreen(command: Screenshot, withinMs: number, ports: PicturePorts): Promise<Taken> {
  const { capturer } = ports
  if (!capturer.isSharing(command.scope) || isScreenOfAnother(command, ports)) {
    const { by, reason, scope } = command
    const quietSeconds = ports.askToShare({ by, reason, scope })
    if (quietSeconds > 0) throw new CommandFault('sharing_declined', words.commands.declined, quietSeconds)
    throw new CommandFault('sharing_not_enabled', words.commands.asked)
  }
  if (command.scope === 'screen')
    return {
      picture: await capturer.capture({ scope: 'screen', element: null, withinMs }),
      wasActivated: false,
    }
  const dock = ports.dock()
  if (dock === undefined) throw new CommandFault('cannot_capture', words.commands.notReady)
  if (command.scope === 'workspace')
    return {
      picture: await capturer.capture({ scope: 'workspace', element: dock.element, withinMs }),
      wasActivated: false,
    }
  return await ofTab(command.tabId ?? '', dock, capturer, withinMs)
}

/** A screen that was shared for one picture is for the one who asked: nobody else may be quicker. */
function isScreenOfAnother({ scope, by }: Screenshot, { screenFor }: PicturePorts): boolean {
  const allowed = screenFor()
  if (scope !== 'screen' || allowed === 'everyone') return false
  return allowed === undefined || !isSameParty(allowed, by)
}

async function ofTab(tabId: string, dock: DockPort, capturer: Capturer, withinMs: number): Promise<Taken> {
  const shown = await dock.bringForward(tabId)
  if (shown === undefined) throw new CommandFault('no_such_tab', words.commands.noTab)
  try {
    const picture = await capturer.capture({ scope: 'panel', element: shown.element, withinMs })
    return { picture, wasActivated: shown.wasActivated }
  } finally {
    shown.putBack()
  }
}
