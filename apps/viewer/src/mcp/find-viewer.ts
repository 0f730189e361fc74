import { realpath } from 'node:fs/promises'
import { Problem, UnexpectedResponse } from '@patchbay/contracts/core'
import type { ViewerStatus } from '@patchbay/contracts/viewer'
import type { ViewerConfig } from '../config.ts'
import { remoteViewer, ViewerGone } from './remote-viewer.ts'

/** What is to be found where a viewer would listen. */
export type Finding =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'viewer'; readonly status: ViewerStatus }
  | { readonly kind: 'other-project'; readonly project: string }
  | { readonly kind: 'something-else' }

const LOOK_WITHIN_MS = 5_000

/** Where a viewer that is configured like this would listen. */
export function baseUrlOf({ host, port }: Pick<ViewerConfig, 'host' | 'port'>): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** `project`: the only one that is wanted; any if absent. */
export async function findViewer(baseUrl: string, project: string | undefined): Promise<Finding> {
  try {
    const status = await remoteViewer(baseUrl).status(AbortSignal.timeout(LOOK_WITHIN_MS))
    if (typeof status?.project !== 'string' || typeof status.url !== 'string')
      return { kind: 'something-else' }
    if (project !== undefined && !(await isSameFolder(project, status.project)))
      return { kind: 'other-project', project: status.project }
    return { kind: 'viewer', status }
  } catch (error) {
    if (error instanceof ViewerGone && error.isNobody) return { kind: 'nobody' }
    if (isOtherProgram(error)) return { kind: 'something-else' }
    throw error
  }
}

/** It listens, and does not answer as a viewer does, or not at all. */
function isOtherProgram(error: unknown): boolean {
  const isAnswer =
    error instanceof Problem || error instanceof UnexpectedResponse || error instanceof SyntaxError
  return isAnswer || error instanceof ViewerGone || (error instanceof Error && error.name === 'TimeoutError')
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)))
  return first === second
}
