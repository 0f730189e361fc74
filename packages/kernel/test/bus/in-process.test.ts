import { describe } from 'vitest'
import { busContract } from './contract.ts'
import { inProcessSession } from './rig.ts'

describe('the bus in one process', () => {
  busContract(inProcessSession)
})
