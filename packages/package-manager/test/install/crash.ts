import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackageManager } from '../../src/install/manager.ts'
import type { Installation } from './installation.ts'

/**
 * Runs an operation that never gets past a step, as if the process had ended there, and takes its lock away. `false`
 * when the operation was over before; the names of the steps it took are in `steps`.
 */
export async function crashAt(
  installation: Installation,
  wanted: number | string,
  operate: (manager: PackageManager) => Promise<unknown>,
  steps: string[] = [],
): Promise<boolean> {
  const reached = Promise.withResolvers<'crashed'>()
  const step = (name: string) => {
    steps.push(name)
    if (wanted !== steps.length - 1 && wanted !== name) return undefined
    reached.resolve('crashed')
    return new Promise<void>(() => undefined)
  }
  const run = async () => {
    const manager = await installation.open({ deps: { step } })
    await operate(manager)
    return 'done' as const
  }
  const outcome = await Promise.race([reached.promise, run()])
  await rm(join(installation.root, '.patchbay.lock'), { force: true })
  return outcome === 'crashed'
}
