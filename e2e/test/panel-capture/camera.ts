import type { Capture } from '@patchbay/contracts/panels'
import { refOf } from '../panel-control/agent.ts'
import type { Workspace, WorkspaceBench } from '../workspace-pages/workspace.ts'

export interface Shot {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The body as JSON. */
  readonly body: unknown
}

/** Somebody outside with an API key, who asks for pictures. */
export interface Camera {
  readonly key: string
  /** As it comes, also a refusal. */
  ask(request: Record<string, unknown>, accept?: string): Promise<Shot>
  /** Answers how it was taken; throws on a refusal. */
  take(request: Record<string, unknown>): Promise<Capture>
  fetch(url: string): Promise<Shot>
}

export interface CameraOptions {
  readonly name?: string
  readonly scopes?: readonly string[]
  /** Instead of a key that is made for it; `null` for none. */
  readonly key?: string | null
}

/** Time enough for a picture on a machine that others use. */
const TIMEOUT_MS = 60_000
/** How often a browser may be too late with a frame. */
const LATE_FRAMES = 5

export async function startCamera(
  { site }: Pick<WorkspaceBench, 'site'>,
  workspace: Workspace,
  { name = 'Lamp camera', scopes = [`screenshot:${refOf(workspace)}`], key: given }: CameraOptions = {},
): Promise<Camera> {
  const key = given === undefined ? await makeKey(workspace, name, scopes) : given
  const headers: Record<string, string> = key === null ? {} : { 'x-api-key': key }
  const ask: Camera['ask'] = async (request, accept = 'application/json') =>
    await read(
      await fetch(`${site.url}/api/workspaces/editor/${refOf(workspace)}/current/screenshot`, {
        method: 'PATCH',
        headers: { ...headers, accept, 'content-type': 'application/json' },
        body: JSON.stringify({ timeoutMs: TIMEOUT_MS, ...request }),
      }),
    )
  return {
    key: key ?? '',
    ask,
    async take(request) {
      let { status, body } = await ask(request)
      // A browser that had no frame in time is asked again, as anybody would.
      for (let again = 0; status === 502 && again < LATE_FRAMES; again += 1)
        ({ status, body } = await ask(request))
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body as Capture
    },
    fetch: async (url) => await read(await fetch(url, { headers })),
  }
}

async function makeKey(workspace: Workspace, name: string, scopes: readonly string[]): Promise<string> {
  const made = await workspace.callAsOwner('POST', '/auth/keys', { name, scopes, expires_in_days: 1 })
  return (made as { key: string }).key
}

async function read(response: Response): Promise<Shot> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json') === true
  return { status, headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined }
}
