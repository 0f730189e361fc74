export interface ReadinessCheck {
  readonly name: string
  /** Rejects when the engine cannot be used. */
  readonly ping: () => Promise<void>
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>
}

/** Asks every engine at once; one that hangs counts as failed at the deadline. */
export async function askReadiness(
  checks: readonly ReadinessCheck[],
  deadlineMs: number,
): Promise<Readiness> {
  const results = await Promise.all(
    checks.map(
      async ({ name, ping }) => [name, (await answers(ping, deadlineMs)) ? 'ok' : 'failed'] as const,
    ),
  )
  return { ready: results.every(([, state]) => state === 'ok'), checks: Object.fromEntries(results) }
}

async function answers(ping: () => Promise<void>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs)
  })
  const pinged = ping().then(
    () => true,
    () => false,
  )
  return await Promise.race([pinged, deadline]).finally(() => clearTimeout(timer))
}
