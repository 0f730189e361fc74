import type { ServerContext } from '@modelcontextprotocol/server'

/** Well within the shortest deadline that clients have. */
const EVERY_MS = 3_000

/**
 * Does the work, and tells a client that asked for it how far it is: at once and then regularly, because many clients give up
 * on a call of which they hear nothing.
 */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  { message, totalSeconds }: { readonly message: string; readonly totalSeconds: number },
  now: () => number,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return await work()
  const begunAt = now()
  const tell = () => {
    const progress = Math.round((now() - begunAt) / 1000)
    const params = { progressToken, progress, total: Math.max(totalSeconds, progress), message }
    // Nobody is there anymore, which the work itself notices.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  tell()
  const timer = setInterval(tell, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
