import { resolve } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import type { ViewerStatus } from '@patchbay/contracts/viewer'
import { systemClock } from '@patchbay/kernel/clock'
import { Lifecycle, readConfigOrExit, runUntilSignal, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { displayText } from '@patchbay/primitives/text'
import { CannotStart } from './cannot-start.ts'
import { type ViewerConfig, viewerConfig } from './config.ts'
import { baseUrlOf, findViewer } from './mcp/find-viewer.ts'
import { withOwnCredentials } from './mcp/workspace/open-server.ts'
import { VERSION } from './version.ts'
import { startViewer } from './viewer.ts'

/** What whoever started it needs to know. */
export function greeting(
  { url, folder, naming, workspace }: Pick<ViewerStatus, 'url' | 'folder' | 'naming' | 'workspace'>,
  config: Pick<ViewerConfig, 'model' | 'modelProvider' | 'modelUrl'>,
): string {
  return [
    `The viewer is open at ${url}`,
    // A folder out of an archive can be called anything.
    `  pastes   ${displayText(folder, 4_096)}`,
    ...(workspace === undefined ? [] : [`  copies   ${displayText(workspace, 200)}`]),
    `  names    ${NAMERS[naming](config)}`,
    '',
    'Paste screenshots there; agents can ask you for them. Ctrl-C ends it.',
  ].join('\n')
}

const NAMERS = {
  text: () => 'from the title or the text in a picture, read on this machine',
  off: () => 'none: files keep the time of the paste',
  model: ({ model, modelProvider, modelUrl }: Pick<ViewerConfig, 'model' | 'modelProvider' | 'modelUrl'>) =>
    `by ${model}; every picture is sent to ${modelUrl ?? modelProvider}`,
} as const satisfies Record<ViewerStatus['naming'], unknown>

/** The whole process: configuration in, a listening viewer out, until a signal ends it. Answers where it is. */
export async function runViewer(surroundings: Surroundings): Promise<string | undefined> {
  const config = readConfigOrExit(viewerConfig, surroundings)
  if (config === undefined) return undefined
  const node = `viewer-${surroundings.runId}`
  // Standard output is for the person: where to open it.
  const destination = { write: (line: string) => surroundings.printError(line.trimEnd()) }
  const log = createLog({
    level: config.logLevel,
    process: 'viewer',
    node,
    destination,
    isReadable: surroundings.isTerminal,
  })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1000)
  const { createNonce, environment } = surroundings
  try {
    const { status } = await startViewer({
      serverUrl: environment['PATCHBAY_SERVER_URL'],
      openServer: withOwnCredentials(environment, VERSION),
      config,
      log,
      clock: systemClock,
      node,
      lifecycle,
      createNonce,
    })
    surroundings.print(greeting(status(), config))
    return status().url
  } catch (error) {
    const words = await wordsFor(error, config)
    if (words === undefined) log.fatal({ err: error }, 'cannot start')
    else surroundings.printError(words)
    surroundings.host.exit(1)
    return undefined
  }
}

/** Why it did not start, in one sentence; `undefined` for what nobody expected. */
async function wordsFor(failure: unknown, config: ViewerConfig): Promise<string | undefined> {
  if (!(failure instanceof CannotStart || failure instanceof Problem)) return undefined
  const running = await ownViewer(config)
  if (running !== undefined) return `The viewer of this project runs already: open ${running}`
  return failure instanceof Problem ? (failure.detail ?? failure.message) : failure.message
}

/** Where a viewer of the same project answers, if one does. */
async function ownViewer(config: ViewerConfig): Promise<string | undefined> {
  try {
    const found = await findViewer(baseUrlOf(config), resolve(config.project))
    return found.kind === 'viewer' ? found.status.url : undefined
  } catch {
    return undefined
  }
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkViewerConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(viewerConfig, surroundings) === undefined) return
  surroundings.print('The configuration of viewer is sound.')
}
