import { type CallResult, type EndpointSpec, UnexpectedResponse } from '@patchbay/contracts/core'
import {
  getNextPaste,
  getViewerStatus,
  type Paste,
  type PictureFile,
  type ViewerStatus,
} from '@patchbay/contracts/viewer'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/**
 * The answer of a viewer that another process runs. Any program can have taken its port: agents and people act on what it
 * says, so it must be what a viewer says, down to the characters.
 */
export function believable<Spec extends EndpointSpec>(
  endpoint: Spec,
  answer: CallResult<Spec>,
): CallResult<Spec> {
  const { status, body } = answer as { readonly status: number; readonly body: unknown }
  const schema = endpoint.responses[status] as TSchema | null
  const isSound = schema === null || (Value.Check(schema, body) && isOfThisMachine(endpoint, body))
  if (!isSound) throw new UnexpectedResponse(status, 'not what a viewer says')
  return answer
}

/** What the contract cannot say of addresses and paths. */
function isOfThisMachine({ name }: EndpointSpec, body: unknown): boolean {
  if (name === getViewerStatus.name) return isOwnAddress((body as ViewerStatus).url)
  if (name !== getNextPaste.name) return true
  const { optimized, original } = (body as { readonly paste: Paste }).paste
  return [optimized, original].every(isWhereItSays)
}

function isOwnAddress(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    url.protocol === 'http:' &&
    isLoopbackHost(url.hostname) &&
    url.origin === text.replace(/\/$/, '')
  )
}

/** An agent may read the file: it must not be any other of this person. */
function isWhereItSays({ path, absolute_path: absolute }: PictureFile): boolean {
  return absolute.replaceAll('\\', '/').endsWith(`/${path}`)
}
