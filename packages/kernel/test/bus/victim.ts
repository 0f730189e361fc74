import { createRedisBus } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { victimize } from './rig.ts'

/** A node in a process of its own, so that it can be killed like one. */
const [, , url = '', node = '', room = ''] = process.argv
const bus = await createRedisBus({ url, node, clock: systemClock })
await victimize(bus, room)
process.stdout.write('ready\n')
