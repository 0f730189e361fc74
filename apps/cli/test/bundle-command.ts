import { fileURLToPath } from 'node:url'
import { buildOnce } from '@patchbay/testkit/build-once'
import { bundleForNode } from '@patchbay/testkit/node-bundle'

const ENTRY = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** `patchbay dev` looks for its engines from where it is. */
const EXTERNAL = /\/apps\/dev\//

await buildOnce(process.argv[2] ?? '', 'command', (draft) => bundleForNode(ENTRY, draft, EXTERNAL))
