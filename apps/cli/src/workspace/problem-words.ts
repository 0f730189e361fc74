import type { Problem, ProblemCode } from '@patchbay/contracts/core'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { type Advise } from '../account/words.ts'
import { problemWords } from '../command/problem-words.ts'
import { Refusal } from '../command/refusal.ts'

/** What a key must be good for. `panels` stands for those without a colon. */
export type WorkspaceScope =
  | 'workspace'
  | 'webview'
  | 'sandbox'
  | 'screenshot'
  | 'files:read'
  | 'files:write'
  | 'devices:read'
  | 'devices:command'

export interface Refused {
  /** `ada/board`. */
  readonly name: string
  readonly server: string
  readonly scope: WorkspaceScope
  readonly advise: Advise
}

/** `seconds`: how long the server says to wait. */
type Words = (refused: Refused, seconds?: number) => string

const show = ({ name, advise }: Refused) => advise(`workspace show ${name}`)

/** Refusals on a workspace that a person can do something about. What is not here is told as the server said it. */
const ADVICE: Partial<Record<ProblemCode, readonly [exitCode: number, words: Words]>> = {
  not_permitted: [
    EXIT.failed,
    ({ name, scope }) =>
      `You may not do this to ${name}.\nAn API key needs the scope ${scope}:${name}${scope.includes(':') ? '' : ` (or panels:${name})`}, and its person a place in "${name.split('/')[0]}" that allows it.`,
  ],
  access_ended: [
    EXIT.failed,
    ({ name }) =>
      `Somebody has ended the access of this key or application to ${name}.\nThey can give it back on the page of the workspace.`,
  ],
  workspace_not_found: [
    EXIT.failed,
    ({ name, server, advise }) =>
      `There is no workspace ${name} on ${server}.\nMake it with ${advise(`workspace make ${name}`)}, or see ${advise(`workspace list ${name.split('/')[0]}`)}.`,
  ],
  panel_not_found: [
    EXIT.failed,
    (refused) => `${refused.name} has no such panel, tab or split anymore.\nSee ${show(refused)}.`,
  ],
  panel_type_not_found: [
    EXIT.failed,
    ({ advise }) => `The catalog has no such panel.\nSee ${advise('workspace panels')}.`,
  ],
  panel_type_planned: [
    EXIT.failed,
    ({ advise }) => `This panel is not available yet.\nSee ${advise('workspace panels')}.`,
  ],
  singleton_exists: [
    EXIT.failed,
    (refused) =>
      `${refused.name} has this panel already, and can hold it once.\nFind it with ${show(refused)}.`,
  ],
  layout_changed: [
    EXIT.notYet,
    (refused) =>
      `Somebody changed the layout of ${refused.name} in the meantime, and nothing was replaced.\nLook at it with ${show(refused)}, and import again.`,
  ],
  panel_mismatch: [
    EXIT.failed,
    ({ name, advise }) =>
      `This cannot be done to that tab: it is of another kind, or stands behind another tab of its panel.\nBring it to the front with ${advise(`workspace activate ${name} <tab>`)}.`,
  ],
  proxy_not_available: [
    EXIT.failed,
    ({ server }) =>
      `${server} shows no pages through a proxy.\nIts operator turns it on with PATCHBAY_PROXY_URL.`,
  ],
  file_not_found: [
    EXIT.failed,
    ({ name, advise }) =>
      `${name} has no such file or folder.\nSee ${advise(`files ls ${name} --recursive`)}.`,
  ],
  file_changed: [
    EXIT.failed,
    ({ name, advise }) =>
      `There is such a file in ${name} already, or it was changed meanwhile. Nothing was changed.\nAdd --replace to replace it, or look at it with ${advise(`files history ${name}`)}.`,
  ],
  path_taken: [EXIT.failed, ({ name }) => `Another file or folder of ${name} is in the way.`],
  path_refused: [EXIT.failed, ({ name }) => `${name} cannot hold a file of this name.`],
  history_gone: [EXIT.failed, ({ name }) => `${name} no longer keeps history this old.`],
  workspace_not_open: [
    EXIT.notYet,
    ({ name, server }) =>
      `Nobody has ${name} open, so there is nothing to capture.\nOpen it in a browser at ${server}/workspaces/${name}, and try again.`,
  ],
  sharing_not_enabled: [
    EXIT.notYet,
    ({ name }) =>
      `The person at ${name} has not enabled sharing yet, and has just been asked to.\nThey choose Share there, or open the monitor icon at the top of the page and choose "Share this page" ("Share the whole screen" for --screen). Try again then, or wait for them with --wait 60.`,
  ],
  sharing_declined: [
    EXIT.notYet,
    ({ name }, seconds) =>
      `The person at ${name} answered "Not now", and is not asked again${seconds === undefined ? ' for a while' : ` for ${durationOf(seconds)}`}.\nThey can share at any time under the monitor icon at the top of the page. Try again then.`,
  ],
  deadline_exceeded: [
    EXIT.notYet,
    ({ name }) => `The browser that has ${name} open did not finish in time.\nTry again.`,
  ],
  rate_limited: [
    EXIT.notYet,
    ({ name }) => `${name} was acted on too often with this key.\nWait a minute and try again.`,
  ],
}

/** Where the server knows more than we do. */
const TELLING: ReadonlySet<ProblemCode> = new Set([
  'panel_mismatch',
  'panel_not_found',
  'path_taken',
  'path_refused',
])

export function workspaceProblemWords(problem: Problem, refused: Refused): Refusal {
  const { code, detail, extensions } = problem
  const known = ADVICE[code]
  if (known === undefined) return problemWords(problem)
  const [exitCode, words] = known
  const { retry_after_seconds: seconds } = extensions
  const said = detail === undefined || !TELLING.has(code) ? [] : [`The server said: ${stripHidden(detail)}`]
  return new Refusal(
    exitCode,
    code,
    [words(refused, typeof seconds === 'number' ? seconds : undefined), ...said].join('\n'),
    { ...extensions },
  )
}

function durationOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return seconds < 60 ? `${seconds} seconds` : minutes === 1 ? 'a minute' : `${minutes} minutes`
}
