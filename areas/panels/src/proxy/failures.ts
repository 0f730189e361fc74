import type { OutboundRefusal } from '@patchbay/kernel/outbound'

export interface Failure {
  readonly status: number
  readonly heading: string
  readonly happened: string
}

export const NO_TICKET: Failure = {
  status: 403,
  heading: 'This view has to be loaded again',
  happened: 'Its permission to show pages through the proxy is over. Reload the web view in the workspace.',
}
export const NOT_A_FRAME: Failure = {
  status: 403,
  heading: 'Only for a web view',
  happened: 'This address shows pages inside a workspace and nowhere else.',
}
export const NO_FILE: Failure = {
  status: 404,
  heading: 'File not found',
  happened: 'The workspace has no file at this path. It may have been moved or deleted.',
}
export const NO_ADDRESS: Failure = {
  status: 400,
  heading: 'This is not a web address',
  happened: 'Only complete addresses that begin with https:// or http:// can be shown.',
}
export const TOO_MANY: Failure = {
  status: 429,
  heading: 'Too many pages at once',
  happened: 'This web view has loaded more pages than one minute allows. Try again in a moment.',
}
export const BUSY: Failure = {
  status: 503,
  heading: 'The proxy is busy',
  happened: 'It loads as many pages as it can. Try again in a moment.',
}

const STATUSES: Partial<Record<OutboundRefusal, number>> = {
  url: 400,
  scheme: 400,
  credentials: 400,
  address: 403,
  name: 403,
  port: 403,
  deadline: 504,
  closed: 503,
}
const HEADINGS: Partial<Record<OutboundRefusal, string>> = {
  deadline: 'The site took too long',
  too_large: 'The page is too large',
  closed: 'The proxy is stopping',
  unreachable: 'The site cannot be reached',
  interrupted: 'The site broke off',
  redirects: 'The site sends visitors around in circles',
}

/** The words are for whoever named the address; they tell nothing of the network. */
export function failureOf(reason: OutboundRefusal, words: string): Failure {
  const status = STATUSES[reason] ?? 502
  const heading =
    HEADINGS[reason] ?? (status === 502 ? 'The site gave no usable answer' : 'The proxy does not go there')
  return { status, heading, happened: words }
}

/** What a site answered when it had nothing to show with it. */
export function emptyAnswer(status: number): Failure {
  if (status < 400)
    return { status: 200, heading: 'There is nothing to show', happened: 'The site answered without a page.' }
  return {
    status: answerStatus(status),
    heading: `The site answered with ${status}`,
    happened: 'It sent no page that would say more.',
  }
}

/** Of a page that a site has sent: an error of the site is not ours. */
export function answerStatus(status: number): number {
  if (status >= 500) return 502
  return status >= 400 ? status : 200
}
