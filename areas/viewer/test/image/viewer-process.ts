import { openDarkroom } from './darkroom.ts'
import { decoders } from './decoders.ts'
import { plain } from './samples.ts'

// Prepares a picture, says which process decoded it, and waits to be killed.
const darkroom = await openDarkroom()
await darkroom.develop(await plain(2, 2).png().toBuffer())
process.stdout.write(`${decoders().join()}\n`)
setInterval(() => undefined, 60_000)
