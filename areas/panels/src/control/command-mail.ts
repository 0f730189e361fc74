import type { Ending } from './command-desk.ts'
import type { Place } from './open-workspace.ts'

/** `accepted`: the ending follows on its own. */
export type Reply = Ending | { readonly outcome: 'accepted' }

/** A command on its way to the node of a browser. */
export interface CommandMail {
  readonly from: string
  /** The workspace, as its room is called. */
  readonly room: string
  readonly to: Place
  readonly id: string
  readonly deadlineMs: number
  /** The finished message, which nobody on the way needs to read. */
  readonly text: string
}

export function writeCommandMail({ text, ...head }: CommandMail): string {
  return `${JSON.stringify(head)}\n${text}`
}

export function readCommandMail(mail: string): CommandMail {
  const end = mail.indexOf('\n')
  return { ...(JSON.parse(mail.slice(0, end)) as Omit<CommandMail, 'text'>), text: mail.slice(end + 1) }
}

/** How a command ended that was accepted before. */
export interface EndingMail {
  readonly from: string
  readonly id: string
  readonly ending: Ending
}

export const TOPICS = { command: 'panels.command', ending: 'panels.ending', queue: 'panels.queue' } as const
