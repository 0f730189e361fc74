import type { CallInput, EndpointSpec } from '@patchbay/contracts/core'
import { type AskOptions, ask } from './server.api.ts'

/**
 * As `ask`, for an answer that is no text: `read` makes of it what is wanted. `undefined` for an answer without content, such as
 * that a file is still the one that is known.
 */
export async function askContent<Spec extends EndpointSpec, Content>(
  endpoint: Spec,
  input: CallInput<Spec>,
  options: Omit<AskOptions, 'fetch'>,
  read: (response: Response) => Promise<Content>,
): Promise<Content | undefined> {
  let content: Content | undefined
  // `ask` reads what it gets as text.
  const fetchContent: typeof fetch = async (address, init) => {
    const response = await fetch(address, init)
    if (!response.ok) return response
    content = await read(response)
    return new Response('', { status: response.status, headers: response.headers })
  }
  await ask(endpoint, input, { ...options, fetch: fetchContent })
  return content
}

export async function allBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer())
}
