import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { layoutOf } from '../../src/install/layout.ts'
import { withRootLock } from '../../src/install/root-lock.ts'
import { systemSurroundings } from '../../src/surroundings.ts'

// Takes the lock so many times and notes when it is inside. Dies or stays there if it is told to.
const [root = '', state = '', log = '', times = '1', ending = 'release'] = process.argv.slice(2)
const note = (what: string) => appendFileSync(log, `${what} ${process.pid}\n`)
const { now, randomUUID: createId } = systemSurroundings
const options = { patienceMs: 100_000, now, createId, notify: () => undefined }
for (let count = Number(times); count > 0; count -= 1) {
  await withRootLock(layoutOf(root, state).lock, options, async () => {
    note('enter')
    if (ending === 'stay') await sleep(600_000)
    await sleep(count % 3)
    note('leave')
    if (ending === 'die' && count === 1) process.kill(process.pid, 'SIGKILL')
  })
}
