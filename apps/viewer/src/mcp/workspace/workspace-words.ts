import { Problem, Unanswered, UnexpectedResponse } from '@patchbay/client/workspaces'
import type { ProblemCode } from '@patchbay/contracts/core'
import { displayText } from '@patchbay/primitives/text'
import { problemWords } from '../failure-words.ts'
import { ToolRefusal } from '../tool-refusal.ts'

export interface Asked {
  /** The address of the installation. */
  readonly server: string
  /** `ada/board`; absent while it is not known which one is meant. */
  readonly name?: string
  /** What a key must be good for. */
  readonly scope:
    | 'workspace'
    | 'webview'
    | 'sandbox'
    | 'screenshot'
    | 'files:read'
    | 'files:write'
    | 'devices:read'
    | 'devices:command'
}

type Words = (asked: Asked & { readonly name: string }) => string

/** Refusals that a model, or its person, can do something about. */
const ADVICE: Partial<Record<ProblemCode, Words>> = {
  sign_in_required: ({ server }) =>
    `${server} does not know who asks: the login or key is missing or over. Ask the person to run "patchbay login", or to renew the key.`,
  credential_invalid: ({ server }) =>
    `${server} does not accept the login or key anymore. Ask the person to run "patchbay login", or to renew the key.`,
  not_permitted: ({ name, scope }) =>
    `This login or key may not do this to ${name}. A key needs the scope ${scope}:${name}${/^(?:files|devices)/.test(scope) ? '' : ` or panels:${name}`}, which the person gives on their account page.`,
  access_ended: ({ name }) =>
    `A person has ended the access to ${name}. Respect that: do not try again unless they say that they gave it back on the page of the workspace.`,
  workspace_not_found: ({ name }) =>
    `There is no workspace ${name}, or not for this login. av_list_panels without arguments shows those that are there.`,
  panel_not_found: ({ name }) => `${name} has no such panel or tab anymore. See av_list_panels.`,
  panel_mismatch: () =>
    'That tab is of another kind, or stands behind another tab of its panel. See av_list_panels.',
  file_not_found: ({ name }) => `${name} has no such file, or had none then. See av_list_files.`,
  path_taken: ({ name }) => `Another file or folder of ${name} is in the way.`,
  path_refused: ({ name }) => `${name} cannot hold a file of this name.`,
  history_gone: ({ name }) => `${name} no longer keeps history this old.`,
  workspace_not_open: ({ name, server }) =>
    `Nobody has ${name} open in a browser, so nothing can be captured. Ask the person to open ${server}/workspaces/${name}, and call this tool again.`,
  sharing_not_enabled: ({ name }) =>
    `The person at ${name} has not allowed pictures of the page yet. They were just asked there. They choose Share, or open the monitor icon at the top of the page and choose "Share this page", or "Share the whole screen" for the scope screen. Tell them, and call this tool again after a few seconds, or with waitForSharingSeconds.`,
  sharing_declined: ({ name }) =>
    `The person at ${name} answered "Not now". Respect that: go on without a picture, or tell them what you need it for. They can share at any time under the monitor icon at the top of the page.`,
  capture_failed: () =>
    'The browser could not take the screenshot. Call the tool again; if it fails again, tell the person.',
  deadline_exceeded: ({ name }) =>
    `The browser that has ${name} open did not finish in time. Call the tool again.`,
  limit_reached: ({ name }) => `${name} has as much of this as it takes. Wait, or make room first.`,
  device_not_found: ({ name }) => `${name} has no such device. See av_list_devices.`,
  channel_not_found: () =>
    'The device has no such channel, or none that takes commands. Nothing was sent. See av_list_devices.',
  command_invalid: () => 'The channel does not take this value. Nothing was sent.',
  command_id_taken: () =>
    'An earlier command with other content had this id. Nothing was sent. Leave out id for a new command.',
  device_not_armed: ({ name, server }) =>
    `This moves or powers something, and nobody has armed the device for agents. Nothing was sent. Ask the person to arm it for agents on ${server}/workspaces/${name}, say what you want to do with it, and wait until they have; do not look for another way.`,
  devices_stopped: ({ name, server }) =>
    `The devices of ${name} are stopped, and nothing was sent. Only a person releases the emergency stop, on ${server}/workspaces/${name}. Respect that: do not try again unless they say that they released it.`,
  device_offline: () =>
    'The device is offline, and nothing was sent. Ask the person to look at its power and its connection; av_list_devices says when it is back.',
  too_many_waiting: () =>
    'Too much waits for this device right now. Nothing was sent. Try again in a few seconds.',
  broker_unavailable: ({ server }) => `${server} cannot reach devices right now. Try again later.`,
  board_engine_missing: ({ server }) =>
    `${server} has no KiCad at work, so nothing can be checked or drawn. Its operator has to start a worker; tell the person. av_read_nets and av_change_schematic work without.`,
  board_file_refused: () => 'KiCad cannot do this with this file.',
  board_job_not_found: () => 'The result is no longer kept. Call this tool again.',
  schematic_change_refused: () => 'A change makes no sense, so none was made.',
  edits_too_old: () => 'People keep changing this file. Nothing was changed; call this tool again.',
  file_not_text: () => 'This file is too large to be changed while people edit it, or no text.',
  too_many_jobs: () => 'Too many jobs are waiting for KiCad. Call this tool again in a minute.',
  rate_limited: ({ name }) => `${name} was acted on too often. Wait a minute, and call this tool again.`,
}

/** Where the server knows more than we do. */
const TELLING: ReadonlySet<ProblemCode> = new Set([
  'panel_mismatch',
  'panel_not_found',
  'capture_failed',
  'sharing_declined',
  'limit_reached',
  'path_taken',
  'path_refused',
  'command_invalid',
  'board_file_refused',
  'schematic_change_refused',
])

/** Does the work; what the server refuses becomes words, without what was sent to it. */
export async function inWords<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw wordsFor(error, asked) ?? error
  }
}

function wordsFor(error: unknown, asked: Asked): ToolRefusal | undefined {
  const { server, name = 'the workspace' } = asked
  if (error instanceof Problem) {
    const words = ADVICE[error.code]?.({ ...asked, name }) ?? problemWords(error)
    const said =
      error.detail === undefined || !TELLING.has(error.code)
        ? ''
        : `\nThe server said: ${displayText(error.detail, 500)}`
    return new ToolRefusal(`${words}${said}`)
  }
  if (error instanceof Unanswered || isNoConnection(error))
    return new ToolRefusal(
      `${server} does not answer right now. Is it running? Where it is elsewhere, PATCHBAY_SERVER_URL names it in the configuration of this server.`,
    )
  if (error instanceof UnexpectedResponse)
    return new ToolRefusal(
      `Something answers at ${server}, but not as Patchbay does. Check PATCHBAY_SERVER_URL.`,
    )
  return undefined
}

/** What `fetch` itself throws, and its deadline. */
function isNoConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    error.name === 'TimeoutError' ||
    (error instanceof TypeError && /fetch failed|terminated/.test(error.message))
  )
}
