import { expect, test, vi } from 'vitest'
import { createHelpLine } from '../../src/workspace/panels/code-editor/language/help-line.ts'
import type { Asked, ToWorker } from '../../src/workspace/panels/code-editor/language/messages.ts'

const ABOUT = { path: 'a.ts', text: 'a' }

/** Workers that answer as told, one after the other. */
function workers(...answers: readonly ((asked: Asked) => unknown)[]) {
  const made: FakeWorker[] = []
  class FakeWorker extends EventTarget {
    readonly heard: ToWorker[] = []
    isEnded = false
    postMessage(message: ToWorker): void {
      this.heard.push(message)
      if (message.type !== 'ask') return
      const answer = answers[made.indexOf(this)]?.(message)
      if (answer !== undefined) this.tell({ type: 'answer', id: message.id, answer })
    }
    tell(data: unknown): void {
      this.dispatchEvent(new MessageEvent('message', { data }))
    }
    terminate(): void {
      this.isEnded = true
    }
  }
  const makeWorker = () => {
    const worker = new FakeWorker()
    made.push(worker)
    return worker as unknown as Worker
  }
  return { made, makeWorker }
}

function lineOf(makeWorker: () => Worker, readFile = async () => undefined as never) {
  const onGivenUp = vi.fn<() => void>()
  const line = createHelpLine({ makeWorker, readFile, deadlineMs: 20, firstDeadlineMs: 30, onGivenUp })
  return { line, onGivenUp }
}

test('[W-670] a worker that hangs is ended and started again, and after three times not anymore', async () => {
  const { made, makeWorker } = workers(() => [])
  const { line, onGivenUp } = lineOf(makeWorker)
  expect(await line.ask('diagnose', ABOUT, {})).toEqual([])
  const silent = made[0]
  if (silent !== undefined) silent.postMessage = () => {}
  for (let count = 0; count < 5; count += 1)
    expect(await line.ask('hover', ABOUT, { offset: 0 })).toBeUndefined()
  expect(made.map(({ isEnded }) => isEnded)).toEqual([true, true, true])
  expect(onGivenUp).toHaveBeenCalledTimes(1)
})

test('[W-670] a worker whose code cannot be had answers nothing, and its questions end', async () => {
  const { made, makeWorker } = workers()
  const { line } = lineOf(makeWorker)
  const asked = line.ask('diagnose', ABOUT, {})
  made[0]?.dispatchEvent(new Event('error'))
  expect(await asked).toBeUndefined()
  const throwing = lineOf(() => {
    throw new Error('no workers here')
  })
  expect(await throwing.line.ask('diagnose', ABOUT, {})).toBeUndefined()
})

test('[W-670] a worker is given the files that it wants, and told when they change', async () => {
  const { made, makeWorker } = workers()
  const file = { path: 'b.ts', text: 'b' }
  const { line } = lineOf(makeWorker, async () => file as never)
  const asked = line.ask('diagnose', ABOUT, {})
  made[0]?.tell({ type: 'wants', number: 7, paths: ['b.ts'] })
  await expect.poll(() => made[0]?.heard.at(-1)).toEqual({ type: 'wanted', number: 7, file })
  line.forget()
  expect(made[0]?.heard.at(-1)).toEqual({ type: 'forget' })
  line.stop()
  expect(await asked).toBeUndefined()
})
