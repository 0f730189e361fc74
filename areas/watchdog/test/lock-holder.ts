import { randomUUID } from 'node:crypto'
import { lockStateFolder } from '../src/index.ts'

/** Takes the folder and keeps it, or says that it cannot. */
try {
  await lockStateFolder(process.argv[2] ?? '', { createId: randomUUID, now: Date.now })
  process.stdout.write('locked\n')
} catch (error) {
  process.stdout.write(`refused: ${String(error)}\n`)
}
setInterval(() => {}, 1_000)
