import type { PackageManager } from '../../src/install/manager.ts'
import { BLINKY, type Installation, PLUGIN } from './installation.ts'

export interface Scenario {
  /** What is there before. */
  readonly prepare: (installation: Installation) => Promise<void>
  /** The operation, from the state before or from the one after. */
  readonly operate: (manager: PackageManager) => Promise<unknown>
}

async function installOne(installation: Installation): Promise<void> {
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/settings.ini`, 'mine')
  await installation.write(`${PLUGIN}/notes.txt`, 'added by hand')
}

async function installTwo(installation: Installation): Promise<void> {
  await installOne(installation)
  await (await installation.open()).update(BLINKY)
}

async function installedVersion(manager: PackageManager): Promise<string | undefined> {
  return (await manager.list())[0]?.version
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  install: {
    prepare: async (installation) => void (await installation.open()),
    operate: (manager) => manager.install(BLINKY),
  },
  update: { prepare: installOne, operate: (manager) => manager.update(BLINKY) },
  remove: {
    prepare: installTwo,
    operate: async (manager) => (await installedVersion(manager)) && manager.remove(BLINKY),
  },
  rollback: {
    prepare: installTwo,
    operate: async (manager) => (await installedVersion(manager)) === '2.0.0' && manager.rollback(BLINKY),
  },
}
