import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLock } from '../../src/files/index.ts'

// Takes the lock so many times, and notes when it is inside. Dies there if it is told to.
const [head = '', log = '', times = '1', ending = 'release'] = process.argv.slice(2)
const note = (what: string) => appendFileSync(log, `${what} ${process.pid}\n`)
for (let count = Number(times); count > 0; count -= 1) {
  const lock = await acquireLock(head, { createId: randomUUID, now: Date.now })
  note('enter')
  if (ending === 'hang') await sleep(600_000)
  await sleep(count % 3)
  if (ending === 'die' && count === 1) {
    note('leave')
    process.kill(process.pid, 'SIGKILL')
  }
  note('leave')
  await lock.release()
}
