import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { png } from './pictures.ts'
import { startTestViewer } from './start.ts'

/** The processes that this one has started to decode pictures, and that still run. */
async function decoders(): Promise<string[]> {
  const threads = await readdir('/proc/self/task')
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8')),
  )
  const pids = children.flatMap((list) => list.split(' ').filter((pid) => pid !== ''))
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return commands.filter((command) => command.includes('picture-process'))
}

test('[VA-13] a viewer that has stopped leaves no process behind', async () => {
  const others = (await decoders()).length
  await using viewer = await startTestViewer()
  await viewer.paste(png(20, 10))
  expect(await decoders()).toHaveLength(others + 1)
  await viewer.drain()
  expect(await decoders()).toHaveLength(others)
})
