import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openManager } from '../../src/install/manager.ts'
import { KEEP, openShop } from './blinky.ts'
import { BLINKY, TARGET } from './installation.ts'

// Updates to a large version under whatever limits it was started with, and says how that failed.
const [root = '', content = ''] = process.argv.slice(2)
const shop = openShop()
shop.add(BLINKY, '2.0.0', { 'plugins/large.bin': await readFile(content) }, KEEP)
const manager = await openManager({
  root,
  stateFolder: join(root, '.patchbay'),
  target: TARGET,
  source: shop,
})
const failure: unknown = await manager.update(BLINKY).catch((error: unknown) => error)
process.stdout.write(JSON.stringify(failure))
