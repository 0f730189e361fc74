import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import {
  choice,
  defineConfig,
  type Fault,
  hostName,
  integer,
  type Kind,
  list,
  optional,
  secretText,
  sharedSettings,
  text,
  url,
  type Values,
  withDefault,
} from '@patchbay/kernel/config'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { Secret } from '@patchbay/kernel/log'
import { displayText } from '@patchbay/primitives/text'

/** Pastes are files of one person's project, and nobody signs in: other machines have no business here. */
const loopbackHost: Kind<string> = {
  accepts: 'loopback address or name: `127.0.0.1`, `::1`, `localhost`',
  parse: (value) => {
    if (!isLoopbackHost(value))
      throw new Error(`"${value}" is not this machine alone; the viewer asks nobody who they are`)
    return value
  },
}

/** Agents look for the viewer there, so the system cannot choose one. */
const knownPort: Kind<number> = { ...integer({ min: 1, max: 65_535 }), accepts: 'port' }

/** What may stand in a policy: nothing that could end it and begin another. */
const origin: Kind<string> = {
  accepts: 'origin such as `http://localhost:8790`',
  parse: (value) => {
    const parsed = URL.parse(value)
    const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
    const isOrigin = parsed !== null && isWeb && parsed.origin === value.replace(/\/$/, '')
    // A wildcard is none of one page, and would let every name below in.
    if (!isOrigin || parsed.hostname.includes('*'))
      throw new Error(`"${value}" is not the origin of a web page`)
    return parsed.origin
  },
}

const workspaceName: Kind<{ readonly owner: string; readonly repo: string }> = {
  accepts: 'workspace such as `ada/board`',
  parse: (value) => {
    const [owner = '', repo = '', ...more] = value.split('/')
    if (owner === '' || repo === '' || more.length > 0)
      throw new Error(`"${displayText(value, 200)}" is not a workspace; name it as owner/name`)
    return { owner, repo }
  },
}

/** The server on its default port. */
const WORKSPACE_ORIGINS = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${DEFAULT_PORTS.server}`)

export const viewerConfig = defineConfig({
  process: 'viewer',
  settings: {
    host: withDefault(
      { variable: 'PATCHBAY_VIEWER_HOST', meaning: 'The address the viewer binds; this machine alone.' },
      loopbackHost,
      '127.0.0.1',
    ),
    port: withDefault(
      { variable: 'PATCHBAY_VIEWER_PORT', meaning: 'The port the viewer listens on.' },
      knownPort,
      DEFAULT_PORTS.viewer,
    ),
    project: withDefault(
      {
        variable: 'PATCHBAY_VIEWER_PROJECT',
        meaning:
          'Folder with the project’s content. Pastes go to `screenshots/sp` in it; one viewer per project.',
      },
      text,
      '.',
    ),
    workspace: optional(
      {
        variable: 'PATCHBAY_VIEWER_WORKSPACE',
        meaning:
          'A workspace that shall have the pastes as well, such as `ada/board`, with the login of `patchbay login` or a key.',
      },
      workspaceName,
    ),
    allowedHosts: withDefault(
      {
        variable: 'PATCHBAY_VIEWER_ALLOWED_HOSTS',
        meaning: 'Further host names the viewer answers for, beside the loopback names.',
      },
      list(hostName),
      [],
    ),
    framedBy: withDefault(
      {
        variable: 'PATCHBAY_VIEWER_FRAMED_BY',
        meaning:
          'Origins whose pages may show the viewer in a frame, such as a workspace with a web view panel.',
      },
      list(origin),
      WORKSPACE_ORIGINS,
    ),
    naming: withDefault(
      {
        variable: 'PATCHBAY_VIEWER_NAMING',
        meaning:
          'Who looks for names: `text` takes the title, or reads the picture on this machine; `model` sends it to the model that is configured; `off` leaves the names with their time.',
      },
      choice(['text', 'model', 'off']),
      'text',
    ),
    modelProvider: withDefault(
      {
        variable: 'PATCHBAY_VIEWER_MODEL_PROVIDER',
        meaning:
          'How the model is spoken to: `anthropic`, or `openai` for whatever understands that protocol.',
      },
      choice(['anthropic', 'openai']),
      'anthropic',
    ),
    model: optional(
      {
        variable: 'PATCHBAY_VIEWER_MODEL',
        meaning: 'The name of the model, which must understand pictures.',
      },
      text,
    ),
    modelUrl: optional(
      {
        variable: 'PATCHBAY_VIEWER_MODEL_URL',
        meaning: 'Where the model answers, such as a local one. Unset: the provider’s own address.',
      },
      url(['http', 'https']),
    ),
    modelKey: optional(
      { variable: 'PATCHBAY_VIEWER_MODEL_KEY', meaning: 'The key for the model. A local one may need none.' },
      secretText,
    ),
    modelFallback: withDefault(
      {
        variable: 'PATCHBAY_VIEWER_MODEL_FALLBACK',
        meaning:
          'What to do when the model gives no name: `text` reads the picture on this machine, `off` leaves that out.',
      },
      choice(['text', 'off']),
      'text',
    ),
    webRoot: optional(
      {
        variable: 'PATCHBAY_WEB_ROOT',
        meaning: 'Folder of the built web app. Unset: the one that `pnpm build` writes.',
      },
      text,
    ),
    // Somebody sits in front of it: what goes well is said in words, once.
    logLevel: { ...sharedSettings.logLevel, fallback: 'warn' as const },
    metricsToken: sharedSettings.metricsToken,
    drainSeconds: sharedSettings.drainSeconds,
  },
  conditions: namingFaults,
})

export type ViewerConfig = Values<typeof viewerConfig.settings>

interface NamingSettings {
  readonly naming: 'text' | 'model' | 'off'
  readonly modelProvider: 'anthropic' | 'openai'
  readonly model: string | undefined
  readonly modelUrl: string | undefined
  readonly modelKey: Secret | undefined
}

/** A model that cannot be asked, or that is configured and would never be asked, is a mistake to be told at the start. */
function namingFaults({ naming, model, modelUrl, modelKey }: NamingSettings): Fault[] {
  if (naming !== 'model') {
    if (model === undefined) return []
    return [
      {
        variable: 'PATCHBAY_VIEWER_MODEL',
        wrong: `is set, but names are not asked of a model: PATCHBAY_VIEWER_NAMING is \`${naming}\``,
      },
    ]
  }
  const faults: Fault[] = []
  if (model === undefined)
    faults.push({
      variable: 'PATCHBAY_VIEWER_MODEL',
      wrong: 'is not set, but names are to be asked of a model',
    })
  if (modelKey === undefined && modelUrl === undefined)
    faults.push({
      variable: 'PATCHBAY_VIEWER_MODEL_KEY',
      wrong: 'is not set; only a model at an address of its own (PATCHBAY_VIEWER_MODEL_URL) may need none',
    })
  return faults
}
