import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ViewerStatus } from '@patchbay/contracts/viewer'
import { isLoopbackHost } from '@patchbay/kernel/http'
import { readConfigOrExit, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { displayText } from '@patchbay/primitives/text'
import { projectIsNoFolder } from './cannot-start.ts'
import { viewerConfig } from './config.ts'
import { steadyViewer } from './mcp/steady-viewer.ts'
import { ToolRefusal } from './mcp/tool-refusal.ts'
import { createViewerTools } from './mcp/tools.ts'
import { withOwnCredentials } from './mcp/workspace/open-server.ts'
import { viewerAt, viewerOfProject } from './own-viewer.ts'
import { VERSION } from './version.ts'
import type { ViewerPort } from './viewer-port.ts'

export interface McpOptions {
  /** The folder with the project's content; that of the environment, or where one is, unless given. */
  readonly project?: string | undefined
  /** A viewer that runs already; none is started then. */
  readonly url?: string | undefined
  /** The protocol has both to itself. */
  readonly input: Readable
  readonly output: Writable
}

const EXIT_FAILED = 1
const EXIT_USAGE = 2
/** Nobody waits for what is in flight once the agent has gone. */
const STOP_WITHIN_MS = 4_000
const LOOK_WITHIN_MS = 10_000

/** The tools over standard input and output, until the input ends. */
export async function runMcp(surroundings: Surroundings, options: McpOptions): Promise<void> {
  const { environment, host, printError, runId, createNonce } = surroundings
  const refuse = (words: string, code = EXIT_FAILED) => {
    printError(words)
    host.exit(code)
  }
  const project = options.project ?? environment['PATCHBAY_VIEWER_PROJECT']
  const config = readConfigOrExit(viewerConfig, {
    ...surroundings,
    environment: { ...environment, ...(project === undefined ? {} : { PATCHBAY_VIEWER_PROJECT: project }) },
  })
  if (config === undefined) return
  // Also where another viewer is used: it would only be told as that of another project.
  if (!(await isFolder(config.project))) return refuse(projectIsNoFolder(resolve(config.project)).message)
  const url = options.url === undefined ? undefined : viewerUrlOf(options.url)
  if (url === null) return refuse(BAD_URL, EXIT_USAGE)

  const node = `mcp-${runId}`
  const log = createLog({
    level: config.logLevel,
    process: 'mcp',
    node,
    destination: { write: (line) => printError(line.trimEnd()) },
  })
  const own = viewerOfProject({
    config,
    log,
    node,
    createNonce,
    serverUrl: environment['PATCHBAY_SERVER_URL'],
  })
  const viewer = steadyViewer(url === undefined ? () => own.find() : () => viewerAt(url, options.project))
  const status = await findOut(viewer, refuse)
  if (status === undefined) return
  printError(
    `Tools for agents, over standard input and output, for ${displayText(status.project, 500)}.\nThe viewer page is ${displayText(status.url, 500)}.`,
  )

  let isEnding = false
  const end = async (code: number) => {
    if (isEnding) return
    isEnding = true
    await handle.close().catch(() => undefined)
    await own.stop(STOP_WITHIN_MS)
    host.exit(code)
  }
  const transport = new EndingTransport(options.input, options.output)
  transport.onEnd = () => void end(0)
  const handle = serveStdio(
    createViewerTools({
      viewer,
      workspaces: () => withOwnCredentials(environment, VERSION),
      version: VERSION,
      now: () => performance.now(),
      createNonce,
      log,
    }),
    { transport, onerror: (error) => log.debug({ err: error }, 'rejected an agent message') },
  )
  for (const signal of ['SIGTERM', 'SIGINT']) host.on(signal, () => void end(0))
  for (const event of ['uncaughtException', 'unhandledRejection'])
    host.on(event, (error: unknown) => {
      log.fatal({ err: error, event }, 'unexpected failure, ending')
      host.exit(EXIT_FAILED)
    })
}

/**
 * Before the agent is answered: a server that has no viewer would only say so at its first use. `undefined` when it was
 * refused.
 */
async function findOut(
  viewer: ViewerPort,
  refuse: (words: string) => void,
): Promise<ViewerStatus | undefined> {
  try {
    return await viewer.status(AbortSignal.timeout(LOOK_WITHIN_MS))
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error
    refuse(error.message)
    return undefined
  }
}

/** It also closes when the output breaks, and when a message is longer than any agent sends. */
class EndingTransport extends StdioServerTransport {
  onEnd: () => void = () => undefined

  override async close(): Promise<void> {
    await super.close()
    this.onEnd()
  }
}

const BAD_URL =
  '--url takes the address of a viewer on this machine, such as http://localhost:8797.\nA viewer is never reached over a network: nobody signs in to it.'

/** `null` when it is not one of this machine. */
function viewerUrlOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:' || !isLoopbackHost(url.hostname)) return null
  if (url.username !== '' || url.password !== '') return null
  return url.origin
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
