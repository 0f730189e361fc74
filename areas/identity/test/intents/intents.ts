import { createHash } from 'node:crypto'
import { createSecret, type IdentityNode } from '../start.ts'

/** An intent as it came over the wire. */
export interface WireIntent {
  readonly token: string
  readonly created_at: string
  readonly expires_at: string
  readonly requested_max_age: number
  readonly auth_url: string
  readonly updates_url: string
  readonly completed: boolean
  readonly confirmation_code: string
}

export interface WireStatus {
  readonly state?: string
  readonly session_token?: string
  readonly code?: string
}

type Node = Pick<IdentityNode, 'ask'>

export async function openIntent(node: Node, body?: object): Promise<WireIntent> {
  const answer = await node.ask('/auth/intents', {
    method: 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (answer.status !== 201) throw new Error(`POST answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as WireIntent
}

export interface Polled extends WireStatus {
  readonly status: number
}

export async function poll(node: Node, token: string, headers: Record<string, string> = {}): Promise<Polled> {
  const answer = await node.ask(`/auth/intents/${token}/status`, { headers })
  return { status: answer.status, ...((await answer.json()) as WireStatus) }
}

/** The status and, for a refusal, its code. */
export async function outcomeOf(answer: Response | Promise<Response>): Promise<[number, string | undefined]> {
  const response = await answer
  const body = (await response.json().catch(() => ({}))) as { code?: string }
  return [response.status, body.code]
}

export function createVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = createSecret()
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
