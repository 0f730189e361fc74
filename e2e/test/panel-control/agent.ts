import type { EvalOutcome } from '@patchbay/contracts/panels'
import type { Workspace, WorkspaceBench } from '../workspace-pages/workspace.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As JSON; undefined without one. */
  readonly body: unknown
}

/** A script or an agent somewhere else: it has an address, an API key, and nothing of ours. */
export interface Agent {
  webview(body: Record<string, unknown>): Promise<Answer>
  sandbox(body: Record<string, unknown>): Promise<Answer>
  screenshot(body: Record<string, unknown>): Promise<Answer>
  /** `:workspace` stands for the address of the workspace. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** What came of code, also of code that was queued first. */
  outcome(body: Record<string, unknown>): Promise<EvalOutcome>
}

export interface AgentOptions {
  readonly name?: string
  /** `panels` for the one workspace unless told. */
  readonly scopes?: readonly string[]
  /** Instead of a key that is made for it; `null` for none. */
  readonly key?: string | null
  /** Where it calls; where its workspace is unless told. */
  readonly at?: string
}

const WAIT_MS = 20_000

export const refOf = ({ path }: Workspace) => path.slice('/workspaces/'.length)

/** An agent with a key that the owner of the workspace has made. */
export async function startAgent(
  { site }: Pick<WorkspaceBench, 'site'>,
  workspace: Workspace,
  options: AgentOptions = {},
): Promise<Agent> {
  const own = refOf(workspace)
  const { name = 'Lamp agent', scopes = [`panels:${own}`], at = own } = options
  const key = options.key === undefined ? await makeKey(workspace, name, scopes) : options.key
  return agentAt(site.url, at, key)
}

/** One whose key is known already; `at` is the owner and the name of the workspace. */
export function agentAt(url: string, at: string, key: string | null): Agent {
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(url + path.replace(':workspace', `/api/workspaces/editor/${at}`), {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const sandbox = (body: Record<string, unknown>) => ask('PATCH', `/api/panels/sandbox/${at}`, body)

  return {
    ask,
    sandbox,
    webview: (body) => ask('PATCH', `/api/panels/webview/${at}`, body),
    screenshot: (body) => ask('PATCH', ':workspace/current/screenshot', body),
    async outcome(body) {
      const { status, body: first } = await sandbox({ action: 'eval', ...body })
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(first)}`)
      const told = first as EvalOutcome
      if (told.status !== 'queued') return told
      const later = await ask('GET', `/api/panels/sandbox/${at}/evals/${told.id}?waitMs=${WAIT_MS}`)
      return later.body as EvalOutcome
    },
  }
}

async function makeKey(workspace: Workspace, name: string, scopes: readonly string[]): Promise<string> {
  const made = await workspace.callAsOwner('POST', '/auth/keys', { name, scopes })
  return (made as { key: string }).key
}
