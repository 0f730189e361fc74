import { createFileObjects } from '../../src/objects/index.ts'
import { hangingAfter, inChunks, MIB, patterned } from './bytes.ts'

/** Run as a process of its own: `put-in-child.ts <root> whole|half|large`. Says what happened and waits to be killed. */
const [root = '', mode] = process.argv.slice(2)
const say = (text: string) => process.stdout.write(`${text}\n`)
const store = await createFileObjects({ root })

if (mode === 'whole') {
  const { sha256 } = await store.put(inChunks(patterned(100_000)))
  say(`stored ${sha256}`)
} else if (mode === 'half') {
  const { source, started } = hangingAfter(patterned(3 * MIB))
  void store.put(source)
  await started
  say('half')
} else {
  const outcome = await store.put(inChunks(patterned(8 * MIB))).then(
    () => 'stored',
    (error: { code?: string; cause?: Error }) => `${error.code} ${error.cause?.message}`,
  )
  say(`outcome ${outcome}`)
}
setInterval(() => undefined, 1000)
