import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@patchbay/contracts/core'
import { systemClock } from '@patchbay/kernel/clock'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { displayText } from '@patchbay/primitives/text'
import { CannotStart } from './cannot-start.ts'
import type { ViewerConfig } from './config.ts'
import { baseUrlOf, type Finding, findViewer } from './mcp/find-viewer.ts'
import { remoteViewer } from './mcp/remote-viewer.ts'
import { ToolRefusal } from './mcp/tool-refusal.ts'
import { startViewer } from './viewer.ts'
import type { ViewerPort } from './viewer-port.ts'

export interface OwnViewerDeps {
  readonly config: ViewerConfig
  readonly log: Log
  readonly node: string
  readonly createNonce: () => string
  readonly serverUrl: string | undefined
}

/** The viewer of a project: the one that runs already, or one in this process. */
export interface ProjectViewer {
  find(): Promise<ViewerPort>
  /** Ends what was started here, and nothing else. */
  stop(deadlineMs: number): Promise<void>
}

/** A viewer holds its folder before it listens, for seconds where the machine is busy: whoever comes then waits for it. */
const PATIENCE_MS = 8_000
const PAUSE_MS = 250

export function viewerOfProject(deps: OwnViewerDeps): ProjectViewer {
  const { config, log } = deps
  const baseUrl = baseUrlOf(config)
  const running: Lifecycle[] = []
  const start = async (): Promise<ViewerPort> => {
    const lifecycle = new Lifecycle(log)
    const { port } = await startViewer({ ...deps, clock: systemClock, lifecycle })
    running.push(lifecycle)
    return port
  }
  return {
    async find() {
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        const finding = await findViewer(baseUrl, resolve(config.project))
        if (finding.kind === 'viewer') return remoteViewer(baseUrl)
        if (finding.kind !== 'nobody') throw new ToolRefusal(takenWords(finding, config))
        try {
          return await start()
        } catch (error) {
          // Another agent was quicker, or a viewer that is just ending still holds the folder.
          if (!isTaken(error) || performance.now() > until) throw refusalOf(error, config)
          await sleep(PAUSE_MS)
        }
      }
    },
    async stop(deadlineMs) {
      await Promise.all(running.map((lifecycle) => lifecycle.stop(deadlineMs)))
    },
  }
}

/** A viewer at an address that somebody gave, which is never started here. */
export async function viewerAt(url: string, project: string | undefined): Promise<ViewerPort> {
  const finding = await findViewer(url, project === undefined ? undefined : resolve(project))
  if (finding.kind === 'viewer') return remoteViewer(url)
  throw new ToolRefusal(NOT_AT[finding.kind](url, finding))
}

function isTaken(error: unknown): boolean {
  return isPortTaken(error) || (error instanceof Problem && error.code === 'folder_unavailable')
}

function isPortTaken(error: unknown): boolean {
  const { code, cause } = Object(error) as {
    readonly code?: unknown
    readonly cause?: { readonly code?: unknown }
  }
  return code === 'EADDRINUSE' || cause?.code === 'EADDRINUSE'
}

function takenWords(finding: Finding, { port }: ViewerConfig): string {
  const advice = `Stop it, or set PATCHBAY_VIEWER_PORT to a free port, such as ${port + 1}, for this project.`
  return finding.kind === 'other-project'
    ? `Port ${port} is taken by the viewer of another project, ${displayText(finding.project, 500)}.\n${advice}`
    : `Port ${port} is taken by a program that is no Patchbay viewer.\n${advice}`
}

/** A failure that was to be expected, in words; any other as it is. */
function refusalOf(error: unknown, { port, project }: ViewerConfig): unknown {
  if (isPortTaken(error))
    return new ToolRefusal(
      `Port ${port} was taken by another program just now.\nTry again, or set PATCHBAY_VIEWER_PORT to a free port, such as ${port + 1}.`,
    )
  if (error instanceof CannotStart) return new ToolRefusal(error.message)
  if (!(error instanceof Problem)) return error
  return new ToolRefusal(
    `The pastes of ${resolve(project)} cannot be used: ${displayText(error.message, 500)}\nIs another viewer running for this project? End it, or use it with --url.`,
  )
}

type Words = (url: string, finding: Finding) => string

const NOT_AT: Readonly<Record<Exclude<Finding['kind'], 'viewer'>, Words>> = {
  nobody: (url) =>
    `No viewer answers at ${displayText(url, 500)}.\nStart it with "patchbay viewer", or leave --url out: a viewer is then started here.`,
  'other-project': (url, finding) =>
    `The viewer at ${displayText(url, 500)} is that of another project${finding.kind === 'other-project' ? `, ${displayText(finding.project, 500)}` : ''}.\nName its address, or leave --url out.`,
  'something-else': (url) =>
    `What answers at ${displayText(url, 500)} is no Patchbay viewer.\nCheck the address.`,
}
