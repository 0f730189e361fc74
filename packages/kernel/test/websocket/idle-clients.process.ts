import { connect } from 'node:net'
import { upgradeText } from './upgrade-text.ts'

const AT_ONCE = 50

/** Opens idle connections on demand. In a process of its own, so that they are not in the heap that is measured. */
process.on('message', ({ port, count }: { port: number; count: number }) => void openMany(port, count))
process.once('disconnect', () => process.exit(0))

async function openMany(port: number, count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => openOne(port)))
  }
  process.send?.('opened')
}

function openOne(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(upgradeText()))
    socket.once('data', () => resolve()).once('error', reject)
  })
}
