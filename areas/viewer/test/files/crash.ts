import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Around } from '../../src/files/disk.io.ts'
import type { PasteFolder } from '../../src/ports.ts'
import type { Project } from './project.ts'

/** On a disk where a file has one name. */
export const withoutLinks: Around = async (step, call) => {
  if (step === 'link') throw diskFailure('EPERM')
  return await call()
}

export function diskFailure(code: string): Error {
  return Object.assign(new Error(`${code}: the disk does not want to`), { code, syscall: 'test', errno: -1 })
}

/** From one step on nothing reaches the disk anymore, as if the process had ended there. Counts once it is armed. */
class Crash {
  readonly steps: string[] = []
  readonly #at: number
  readonly #inner: Around
  isArmed = false
  isOver = false

  constructor(at: number, inner: Around = (_, call) => call()) {
    this.#at = at
    this.#inner = inner
  }

  readonly around: Around = async (step, call) => {
    if (this.isArmed && !this.isOver) {
      if (this.steps.length === this.#at) this.isOver = true
      this.steps.push(step)
    }
    if (this.isOver) throw diskFailure('ECRASHED')
    return await this.#inner(step, call)
  }
}

export interface CrashPlan {
  readonly project: Project
  readonly at: number
  readonly inner?: Around
  /** Whether the steps of opening count, too. */
  readonly fromStart?: boolean
  readonly operate?: (folder: PasteFolder) => Promise<unknown>
}

/** `isOver`: the operation had ended before that step. The lock is gone either way. */
export async function crashAt(plan: CrashPlan): Promise<{ isOver: boolean; steps: string[] }> {
  const { project, at, inner, fromStart = false, operate = async () => undefined } = plan
  const crash = new Crash(at, inner)
  crash.isArmed = fromStart
  let [folder, hasEnded]: [PasteFolder | undefined, boolean] = [undefined, false]
  try {
    folder = await project.open({ around: crash.around })
    crash.isArmed = true
    await operate(folder)
    hasEnded = !crash.isOver
  } catch (error) {
    if (!crash.isOver) throw error
  }
  crash.isOver = true
  await folder?.[Symbol.asyncDispose]()
  await breakLock(project)
  return { isOver: hasEnded, steps: crash.steps }
}

/** As the end of its process would. */
export async function breakLock({ state }: Project): Promise<void> {
  const names = await readdir(state).catch(() => [])
  for (const name of names) if (/^lock(?:\.|$)/.test(name)) await rm(join(state, name))
}
