import { COMPANIONS, type Companion, type CompanionState, getServices } from '@patchbay/contracts/core'
import type { Clock } from '@patchbay/kernel/clock'
import { type HttpApp, on } from '@patchbay/kernel/http'

export interface ServicesDeps {
  readonly clock: Clock
  /** Where each is expected. */
  readonly addresses: Readonly<Record<Companion, string>>
}

const PATIENCE_MS = 1_000
/** A page that is opened by many would otherwise knock at the others' doors for each. */
const KNOWN_FOR_MS = 5_000

const COMMANDS: Readonly<Record<Companion, string>> = {
  gateway: 'patchbay gateway',
  watchdog: 'patchbay watchdog run',
  viewer: 'patchbay viewer',
}

/** Tells which of the programs beside the server run. */
export function registerServices(app: HttpApp, { clock, addresses }: ServicesDeps): void {
  let known: { readonly until: number; readonly companions: Promise<CompanionState[]> } | undefined

  const look = async (): Promise<CompanionState[]> =>
    await Promise.all(
      COMPANIONS.map(async (id) => ({
        id,
        isRunning: await answers(`${addresses[id]}/health`),
        command: COMMANDS[id],
      })),
    )

  app.route({
    ...on(getServices),
    async handler(_request, reply) {
      reply.header('cache-control', 'no-store')
      const now = clock.now().getTime()
      if (known === undefined || known.until <= now) known = { until: now + KNOWN_FOR_MS, companions: look() }
      return { companions: await known.companions }
    },
  })
}

async function answers(address: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(address, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    })
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}
