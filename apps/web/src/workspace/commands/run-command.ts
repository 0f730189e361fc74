import type {
  ActingParty,
  BrowserCommand,
  CommandFailure,
  PanelStateOf,
  ScreenshotScope,
  TakenPicture,
} from '@patchbay/contracts/panels'
import type { CommandAnswer } from '../store/command-history.ts'
import { words } from '../words.tsx'
import type { Offers } from './offers.ts'

type Command<Kind extends BrowserCommand['kind']> = Extract<BrowserCommand, { kind: Kind }>

export interface Asked {
  readonly by: ActingParty
  readonly reason: string | undefined
  readonly scope: ScreenshotScope
}

export interface CommandPorts {
  readonly offers: Offers
  readonly hasTab: (tabId: string) => boolean
  readonly takeState: (state: PanelStateOf) => void
  /** Rejects with a `CommandFault` or anything else. */
  readonly takePicture: (command: Command<'screenshot'>) => Promise<TakenPicture>
}

/** Why a command could not be carried out, in the words of the contract. */
export class CommandFault extends Error {
  readonly code: CommandFailure
  /** When it may be different. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: CommandFailure, message: string, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Outcome = Omit<Extract<CommandAnswer, { type: 'done' }>, 'type' | 'id'>

/** A panel that was just placed fetches its code first. */
const LOADING_MS = 4_000

/** Carries a command out and answers in any case. */
export async function runCommand(
  id: string,
  command: BrowserCommand,
  ports: CommandPorts,
): Promise<CommandAnswer> {
  try {
    return { type: 'done', id, ...(await carryOut(command, ports)) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const fault = error instanceof CommandFault ? error : undefined
    const { code = 'cannot_capture', retryAfterSeconds } = fault ?? {}
    const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    return { type: 'failed', id, code, message: message.slice(0, 1000), ...later }
  }
}

async function carryOut(command: BrowserCommand, ports: CommandPorts): Promise<Outcome> {
  switch (command.kind) {
    case 'show':
      return await show(command, ports)
    case 'eval':
      return await evaluate(command, ports)
    case 'screenshot':
      return { picture: await ports.takePicture(command) }
    default:
      command satisfies never
      throw new CommandFault('not_ready', words.commands.oldPage)
  }
}

async function show({ tabId, revision, state }: Command<'show'>, ports: CommandPorts): Promise<Outcome> {
  if (!ports.hasTab(tabId)) throw new CommandFault('no_such_tab', words.commands.noTab)
  ports.takeState({ tabId, revision, state })
  const handlers = await ports.offers.find(tabId, LOADING_MS)
  await handlers?.shows?.(revision)
  return {}
}

async function evaluate({ tabId, code, timeoutMs }: Command<'eval'>, ports: CommandPorts): Promise<Outcome> {
  if (!ports.hasTab(tabId)) throw new CommandFault('no_such_tab', words.commands.noTab)
  const handlers = await ports.offers.find(tabId, LOADING_MS)
  if (handlers?.evaluate === undefined) throw new CommandFault('not_ready', words.commands.noFrame)
  return { evaluation: await handlers.evaluate(code, timeoutMs) }
}
