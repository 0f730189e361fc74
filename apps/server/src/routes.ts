import { Problem } from '@patchbay/contracts'
import type { HttpApp } from '@patchbay/kernel/http'
import {
  type Database,
  findInstallation,
  findOrCreateInstallation,
  type Installation,
  type KernelTables,
} from '@patchbay/kernel/postgres'
import { registerAbout } from './about.routes.ts'
import type { Preparation } from './prepare-database.ts'
import { VERSION } from './version.ts'

export interface RoutesDeps {
  readonly database: Database<KernelTables>
  readonly node: string
  readonly preparation: Preparation
}

/** Everything that needs the database, behind one gate: before the tables are there, a query would be a bug. */
export async function registerRoutes(
  app: HttpApp,
  { database, node, preparation }: RoutesDeps,
): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    scope.addHook('onRequest', (_request, _reply, done) => {
      done(
        preparation.done
          ? undefined
          : new Problem('database_unavailable', { detail: 'The database is being prepared.' }),
      )
    })
    registerAbout(scope, {
      version: VERSION,
      node,
      findInstallation: () => installationOf(database),
    })
  })
}

/** Whoever asks first makes it; everybody after that only reads, so that a stranger's GET is never a write. */
async function installationOf({ db }: Database<KernelTables>): Promise<Installation> {
  return (await findInstallation(db)) ?? (await findOrCreateInstallation(db))
}
