import type { PanelAction } from '@patchbay/contracts/panels'

type Words = string | ((detail: string) => string)

const withRole = (detail: string) => detail.replace(/ (\w+)$/, ' as $1')

const flag = (on: string, off: string, either: string) => (detail: string) =>
  detail === 'true' ? on : detail === 'false' ? off : either

/** What is noted of an action, as a person would say it. What follows the name of an action is its detail. */
const WORDS: Readonly<Record<string, Words>> = {
  'webview navigate': (host) => (host === '' ? 'opened a page' : `opened ${host}`),
  'webview refresh': 'reloaded the page',
  'webview setHeaderHidden': flag('hid the address bar', 'showed the address bar', 'changed the address bar'),
  'webview setProxyEnabled': flag('turned the proxy on', 'turned the proxy off', 'switched the proxy'),
  'sandbox eval': 'ran code',
  'sandbox reset': 'started the sandbox anew',
  'sandbox setHeaderHidden': flag('hid the bar', 'showed the bar', 'changed the bar'),
  'screenshot panel': 'asked for a picture of a panel',
  'screenshot workspace': 'asked for a picture of the workspace',
  'screenshot screen': 'asked for a picture of the screen',
  'workspace add tab': 'added a panel',
  'workspace split': 'added a panel beside',
  'workspace remove tab': 'closed a panel',
  'workspace reopen tab': 'reopened a panel',
  'workspace move tab': 'moved a panel',
  'workspace rename tab': 'renamed a tab',
  'workspace set panel': 'changed what a panel shows',
  'workspace activate tab': 'brought a tab to the front',
  'workspace resize': 'changed the sizes',
  'workspace import': 'replaced the layout',
  'files put': (path) => `wrote ${path}`,
  'files delete': (path) => `deleted ${path}`,
  'files move': (path) => `moved ${path}`,
  // A number is a state of all files, anything else the path of one.
  'files restore': (what) =>
    /^\d+$/.test(what) ? `restored all files from version ${what}` : `restored ${what}`,
  'files change': (count) => `changed ${count.replaceAll(/\D/g, '')} files`,
  'member add': (detail) => `added ${withRole(detail)}`,
  'member change': (detail) =>
    `made ${detail.replace(/ editor$/, ' an editor').replace(/ viewer$/, ' a viewer')}`,
  'member remove': (handle) => `removed ${handle}`,
  'member join': (role) => `joined as ${role}`,
  'member leave': 'left the workspace',
  'member link': (role) => `made an invitation link for ${role}s`,
  'member unlink': 'revoked an invitation link',
  'add device': (detail) => `added the device ${detail}`,
  'remove device': (device) => `removed the device ${device}`,
  'replace key of device': (device) => `gave ${device} a new key`,
  'grant device': (detail) => `granted ${detail}`,
  'revoke device': (detail) => `took ${detail}`,
  'arm device': (detail) => `armed ${detail}`,
  'disarm device': (device) => `disarmed ${device}`,
  'ask to arm device': (device) => `asked to have ${device} armed`,
  device: (detail) => `told ${detail.replace(' ', ': ')}`,
  'emergency stop': 'stopped all devices',
  'release emergency stop': 'released the emergency stop',
  'add simulated bench': 'added a simulated bench',
  'start recording devices': 'started recording the devices',
  'stop recording devices': 'stopped recording the devices',
  mark: (label) => `marked “${label}”`,
  'remove a marker': 'removed a marker',
  'access end': 'ended the access of an agent',
  'access give back': 'gave an agent its access back',
}

/** One that is not known here, of a newer server, stays as it was noted. */
export function actionInWords(action: string): string {
  const name = Object.keys(WORDS).find((known) => action === known || action.startsWith(`${known} `))
  const words = name === undefined ? undefined : WORDS[name]
  if (name === undefined || words === undefined) return action
  return typeof words === 'string' ? words : words(action.slice(name.length + 1))
}

/** For ears: who did what, with which tab. */
export function sentenceFor(
  { by, action }: Pick<PanelAction, 'by' | 'action'>,
  tab: string | undefined,
): string {
  const about = tab === undefined ? '' : `, ${tab}`
  return `${by.name} ${actionInWords(action)}${about}`
}
