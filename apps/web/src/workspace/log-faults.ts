import type { BrowserCommand } from '@patchbay/contracts/panels'
import type { LogEntry, LogStore } from './panel-definition.ts'
import type { CommandAnswer } from './store/command-history.ts'
import { words } from './words.tsx'

type Line = Omit<LogEntry, 'at'>

/** Browsers tell this as an error, and mean that they drew once more. */
const HARMLESS = /^ResizeObserver loop/

/** Puts errors of the page that nobody caught into the log. Answers what ends that. */
export function logUncaught(target: EventTarget, log: Pick<LogStore, 'add'>): () => void {
  const add = (text: string) => log.add({ source: 'workspace', level: 'error', text })
  const onError = (event: Event) => {
    const { error, message } = event as ErrorEvent
    if (!HARMLESS.test(message)) add(words.log.uncaught(error == null ? message : String(error)))
  }
  const onRejection = (event: Event) =>
    add(words.log.uncaughtInPromise(String((event as PromiseRejectionEvent).reason)))
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return () => {
    target.removeEventListener('error', onError)
    target.removeEventListener('unhandledrejection', onRejection)
  }
}

/** What the log says of a command that went wrong; nothing where the person has been asked and is told so already. */
export function faultLine(command: BrowserCommand, answer: CommandAnswer): Line | undefined {
  if (answer.type === 'done') {
    const { status, error } = answer.evaluation ?? {}
    return status === 'error'
      ? { source: 'console', level: 'error', text: words.log.codeFailed(error ?? words.log.unknown) }
      : undefined
  }
  const isOfSharing = answer.code === 'sharing_not_enabled' || answer.code === 'sharing_declined'
  if (command.kind !== 'screenshot' || isOfSharing) return undefined
  const { name, handle } = command.by
  return {
    source: 'workspace',
    level: 'error',
    text: words.log.screenshotFailed(name, handle, answer.message),
  }
}
