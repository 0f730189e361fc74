import { getDevices, putSimulatedBench } from '@patchbay/contracts/devices'
import { notify } from '../components/toast.tsx'
import { describeFailure } from '../errors/failure.ts'
import { createValueStore, type ValueStore } from '../parts/value-store.ts'
import { ask } from '../server/server.api.ts'
import type { PanelHost } from './panel-definition.ts'
import { words } from './words.tsx'

/** Devices that a server for development simulates; no other server offers them. */
export interface SimulatedBench {
  readonly isOffered: ValueStore<boolean>
  /** Asks once whether they are offered. */
  look(): void
  add(): Promise<void>
}

export function createSimulatedBench(
  { workspace, csrfToken }: Pick<PanelHost, 'workspace' | 'csrfToken'>,
  refuse: (message: string) => void,
): SimulatedBench {
  const isOffered = createValueStore(false)
  let isAsked = false
  return {
    isOffered,
    look() {
      if (isAsked) return
      isAsked = true
      ask(getDevices, { params: workspace, query: { limit: 1 } }).then(
        ({ body }) => isOffered.set(body.canSimulate === true),
        () => {
          // Asked again when somebody looks again.
          isAsked = false
        },
      )
    },
    async add() {
      try {
        const headers = { 'x-csrf-token': csrfToken() }
        const { body } = await ask(putSimulatedBench, { params: workspace }, { headers })
        notify({ title: words.bench.added(body.devices) })
      } catch (error) {
        refuse(describeFailure(error).detail)
      }
    },
  }
}
