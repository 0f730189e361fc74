import { join } from 'node:path'
import { openManager } from '../../src/install/manager.ts'
import { openShop } from './blinky.ts'
import { TARGET } from './installation.ts'
import { SCENARIOS } from './scenarios.ts'

// Kills itself at a step of an operation.
const [root = '', name = '', last = ''] = process.argv.slice(2)
let steps = 0
const manager = await openManager({
  root,
  stateFolder: join(root, '.patchbay'),
  target: TARGET,
  source: openShop(),
  deps: {
    step() {
      if (steps === Number(last)) process.kill(process.pid, 'SIGKILL')
      steps += 1
    },
  },
})
await SCENARIOS[name]?.operate(manager)
