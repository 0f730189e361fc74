import { channelContract } from './channel-contract.ts'
import { countContract } from './count-contract.ts'
import { deliveryContract } from './delivery-contract.ts'
import { deliveryRaceContract } from './delivery-race-contract.ts'
import { directoryContract } from './directory-contract.ts'
import { lifecycleContract } from './lifecycle-contract.ts'
import { presenceContract } from './presence-contract.ts'
import { rateLimitContract } from './rate-limit-contract.ts'
import { resumeContract } from './resume-contract.ts'
import type { OpenSession } from './rig.ts'
import { wakeupsContract } from './wakeups-contract.ts'

/** What every implementation of the bus must do, on whatever engine. */
export function busContract(open: OpenSession): void {
  directoryContract(open)
  countContract(open)
  resumeContract(open)
  deliveryContract(open)
  deliveryRaceContract(open)
  channelContract(open)
  wakeupsContract(open)
  presenceContract(open)
  rateLimitContract(open)
  lifecycleContract(open)
}

/** What depends on where keys are, for an engine whose whole suite is in the deep run. */
export function shortBusContract(open: OpenSession): void {
  directoryContract(open)
  deliveryContract(open)
  presenceContract(open)
}
