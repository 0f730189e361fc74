import type { Finding, HealthCheck } from './supervision.ts'

/** What came back from the gateway's address. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly instance: string | undefined }
  /** Nobody listens there. */
  | { readonly kind: 'nobody'; readonly reason: string }
  /** The connection was taken, or left hanging, and nothing came back in time. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** Something listens there that does not speak HTTP, or hung up. */
  | { readonly kind: 'broken'; readonly reason: string }

/** Healthy is the answer of this very run: a stranger on the port may answer just as well. */
export function judge(
  answer: Answer,
  instance: string,
  measured: { readonly at: string; readonly durationMs: number },
): HealthCheck {
  const reason = whyFailed(answer, instance)
  return { ...measured, ok: reason === undefined, reason, timedOut: answer.kind === 'silent' }
}

function whyFailed(answer: Answer, instance: string): string | undefined {
  if (answer.kind !== 'answered') return answer.reason
  if (answer.status !== 200) return `/health answered ${answer.status}`
  return answer.instance === instance ? undefined : 'another process answered /health'
}

/** Whether a gateway may be started there, seen from outside. */
export function findingOf(answer: Answer, url: string, holder: string | undefined): Finding {
  if (answer.kind === 'nobody') return { kind: 'free' }
  const who = holder === undefined ? 'A process that is not our gateway' : `Process ${holder}`
  const what = answer.kind === 'answered' ? `answers /health with ${answer.status}` : answer.reason
  return { kind: 'foreign', holder: `${who} has ${url} (${what}).` }
}
