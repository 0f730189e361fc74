import { randomUUID } from 'node:crypto'
import { runWatchdog } from '../src/index.ts'

/** The watchdog as a process of its own, over the command that follows on the command line. */
const [command = '', ...args] = process.argv.slice(2)
await runWatchdog(
  {
    environment: process.env,
    host: process,
    runId: randomUUID().slice(0, 8),
    createNonce: randomUUID,
    createSecret: randomUUID,
    print: (text) => void process.stdout.write(`${text}\n`),
    printError: (text) => void process.stderr.write(`${text}\n`),
  },
  { command, args },
)
