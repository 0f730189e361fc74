import { type CpuCost, measureCpu } from './cpu-time.ts'
import type { Rig } from './rig.ts'
import { type SideName, SIDES } from './side.ts'
import { inTurns, type Rounds } from './turns.ts'

export interface FlowCost {
  readonly perSecond: number
  readonly cpu: CpuCost
}

export type FlowRounds = Rounds<SideName, FlowCost>

export interface FlowSizes {
  readonly flows: number
  readonly rounds: number
}

/** Connect, register, callback, close. */
export async function measureFlows(rig: Rig, { flows: count, rounds }: FlowSizes): Promise<FlowRounds> {
  const measure = async (name: SideName): Promise<FlowCost> => {
    const { ports, pids } = rig.sides[name]
    const batch = rig.nextBatch()
    const { result, cpu } = await measureCpu(pids, count, () => rig.flows.ask('run', { ports, batch, count }))
    return { perSecond: count / result.seconds, cpu }
  }
  await inTurns(SIDES, 1, measure)
  return inTurns(SIDES, rounds, measure)
}
