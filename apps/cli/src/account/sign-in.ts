import { type LoginPrompt, login } from '@patchbay/client'
import { displayText, stripHidden } from '@patchbay/primitives/text'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { Account } from './account.ts'
import { openBrowser } from './browser.ts'
import { keepSession } from './keep-session.ts'
import { forgetPendingLogin } from './pending.ts'
import { timeInWords } from './words.ts'

type SpinnerSurroundings = Pick<CliSurroundings, 'terminal' | 'environment'>

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const EVERY_MS = 100
const CLEAR_LINE = '\r\u001B[K'

/** What a terminal has that does not say. */
const USUAL_COLUMNS = 80

/** Shows that something is being waited for, to somebody who looks; a file or a pipe gets nothing. */
export function startSpinner(text: string, { terminal, environment }: SpinnerSurroundings): Disposable {
  const isStill = environment['TERM'] === 'dumb'
  if (isStill && terminal.isInteractive) terminal.write(`${text}\n`)
  if (isStill || !terminal.isInteractive) return { [Symbol.dispose]: () => undefined }
  let frame = 0
  const draw = () => {
    // A line that wraps is not cleared as a whole: every frame would leave a copy behind.
    const room = (terminal.columns() || USUAL_COLUMNS) - 1
    terminal.write(CLEAR_LINE + `${FRAMES[frame % FRAMES.length]} ${text}`.slice(0, room))
    frame += 1
  }
  draw()
  let timer: NodeJS.Timeout | undefined = setInterval(draw, EVERY_MS)
  return {
    [Symbol.dispose]() {
      // Once: a second time there is other text on the line.
      if (timer !== undefined) terminal.write(CLEAR_LINE)
      clearInterval(timer)
      timer = undefined
    },
  }
}

export interface SignInOptions {
  readonly label?: string
  readonly maxAge?: number
  readonly browser: boolean
  /** Nothing but the link on standard output; nothing is opened. */
  readonly printUrl?: boolean
}

/** `patchbay login`: shows the link and the words, and waits. */
export async function signIn(account: Account, options: SignInOptions): Promise<void> {
  const { surroundings, server, signal, userAgent } = account
  const say = options.printUrl === true ? surroundings.printError : surroundings.print
  // A damaged file is found out before the person has approved anything.
  await account.credentials.find(server)
  let spinner: Disposable | undefined
  try {
    const { sessionToken } = await login({
      baseUrl: server,
      label: options.label ?? defaultLabel(account),
      maxAge: options.maxAge,
      signal,
      userAgent,
      onPrompt: async (prompt) => {
        if (options.printUrl === true) surroundings.print(prompt.authUrl)
        say(promptText(prompt, server, options.printUrl !== true))
        if (options.browser && options.printUrl !== true) await show(account, prompt.authUrl)
        spinner = startSpinner('Waiting for you to approve in the browser. Ctrl-C stops.', surroundings)
      },
    })
    spinner?.[Symbol.dispose]()
    say(await keepSession(account, sessionToken))
    await forgetPendingLogin(account)
  } finally {
    spinner?.[Symbol.dispose]()
  }
}

export function defaultLabel({ surroundings }: Account): string {
  return displayText(`patchbay CLI on ${surroundings.hostName}`, 80)
}

async function show({ surroundings }: Account, url: string): Promise<void> {
  if (await openBrowser(url, surroundings)) surroundings.print('Your browser was asked to open it.\n')
  else surroundings.print('No browser could be opened from here: open the link yourself.\n')
}

function wordsToCompare(words: string): string[] {
  return [
    'The page shows two words. Approve only if they are the same as these:',
    '',
    `  >>>  ${stripHidden(words)}  <<<`,
    '',
  ]
}

function promptText(
  { authUrl, confirmationCode, expiresAt }: LoginPrompt,
  server: string,
  hasUrl: boolean,
): string {
  const link = hasUrl
    ? ['open this link in your browser:', '', `  ${authUrl}`]
    : ['open the link in your browser.']
  return [
    `To sign in to ${server}, ${link[0]}`,
    ...link.slice(1),
    '',
    ...(confirmationCode === undefined ? [] : wordsToCompare(confirmationCode)),
    `The link works once, until ${timeInWords(expiresAt)}. It is for you alone: do not pass it on.`,
  ].join('\n')
}
