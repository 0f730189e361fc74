import { join } from 'node:path'
import { PrivateStore } from '../../src/credentials/private-store.ts'

// Begins to write, and never ends.
const [folder = ''] = process.argv.slice(2)
const store = new PrivateStore<object>(join(folder, 'credentials.json'), () => undefined)
await store.replace('https://one.example.com', {}, () => {
  process.stdout.write('writes\n')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
})
