import type { Progress as ManagerProgress } from '@patchbay/package-manager'
import type { Task } from '../command/run-task.ts'

const TITLES = { download: 'Downloading', extract: 'Unpacking' } as const

/** One bar for whatever the manager is doing. */
export function showProgress(
  task: Task,
  first: string,
): Disposable & { report(progress: ManagerProgress): void } {
  const progress = task.progress(`Looking for ${first}`)
  return {
    report({ identifier, phase, bytes, total }) {
      progress.update(bytes, total, `${TITLES[phase]} ${identifier}`)
    },
    [Symbol.dispose]: () => progress[Symbol.dispose](),
  }
}
