import { randomUUID } from 'node:crypto'
import { type BoardsDeps, type BoardsTables, registerBoards, registerSchematic } from '@patchbay/boards'
import {
  type ContentDeps,
  type ContentTables,
  createCollection,
  findMatchingFiles,
  prepareFirstFiles,
  registerContent,
  type Workspaces,
} from '@patchbay/content'
import { type EndpointSpec, Problem, type ProblemCode } from '@patchbay/contracts/core'
import { PANEL_SCOPE_AREAS } from '@patchbay/contracts/identity'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import {
  type DeviceAccess,
  type DevicesDeps,
  type DevicesTables,
  registerDevices,
  type Workspaces as WorkspacesOfDevices,
} from '@patchbay/devices'
import {
  type Authentication,
  findCredentials,
  findOpenSession,
  findPerson,
  type IdentityDeps,
  type IdentityTables,
  isAllowed,
  isAllowedAny,
  isInScope,
  type Principal,
  registerIdentity,
} from '@patchbay/identity'
import type { Clock } from '@patchbay/kernel/clock'
import { asProblem, type HttpApp } from '@patchbay/kernel/http'
import {
  type Database,
  type Db,
  findInstallation,
  findOrCreateInstallation,
  type Installation,
  type KernelTables,
} from '@patchbay/kernel/postgres'
import type { WebSockets } from '@patchbay/kernel/websocket'
import {
  endInvitationsOf,
  findRole,
  type Panels,
  type PanelsAccess,
  type PanelsDeps,
  type PanelsTables,
  partyOf,
  registerPanels,
} from '@patchbay/panels'
import {
  quarantineOwner,
  type RegistryAccess,
  type RegistryDeps,
  type RegistryTables,
  registerRegistry,
} from '@patchbay/registry'
import { registerAbout } from './about.routes.ts'
import type { Preparation } from './prepare-database.ts'
import { VERSION } from './version.ts'

export type ServerTables = KernelTables &
  IdentityTables &
  RegistryTables &
  PanelsTables &
  ContentTables &
  DevicesTables &
  BoardsTables

/** What the framework finds before a handler has looked who asks. */
const INPUT_FAULTS: ReadonlySet<ProblemCode> = new Set([
  'invalid_request',
  'malformed_json',
  'unsupported_media_type',
  'body_too_large',
])

export interface RoutesDeps {
  readonly database: Database<ServerTables>
  readonly identity: Omit<IdentityDeps, 'db'>
  readonly registry: Omit<RegistryDeps, 'db' | 'access'>
  readonly panels: Omit<PanelsDeps, 'db' | 'access' | 'prepareFiles'>
  readonly content: Omit<ContentDeps, 'db' | 'workspaces'>
  readonly devices: Omit<DevicesDeps, 'db' | 'copy' | 'workspaces'>
  readonly boards: Omit<BoardsDeps, 'db' | 'files' | 'libraries'> & {
    readonly libraries: Pick<BoardsDeps['libraries'], 'objects' | 'folder'>
  }
  readonly webSockets: WebSockets
  readonly node: string
  readonly preparation: Preparation
}

/** Everything that needs the database, behind one gate: before the tables are there, a query would be a bug. */
export async function registerRoutes(
  app: HttpApp,
  {
    database,
    identity,
    registry,
    panels,
    content,
    devices,
    boards,
    webSockets,
    node,
    preparation,
  }: RoutesDeps,
): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    scope.addHook('onRequest', (_request, _reply, done) => {
      done(
        preparation.done
          ? undefined
          : new Problem('database_unavailable', { detail: 'The database is being prepared.' }),
      )
    })
    // Whoever may not ask at all is not told what is wrong with the question.
    scope.setErrorHandler(async (error, request) => {
      const { endpoint } = request.routeOptions.config as { readonly endpoint?: EndpointSpec }
      const isAboutInput = INPUT_FAULTS.has(asProblem(error).code)
      if (isAboutInput && endpoint?.problems?.includes('sign_in_required') === true)
        await authentication.requirePrincipal(request)
      throw error
    })
    registerAbout(scope, {
      version: VERSION,
      node,
      findInstallation: () => installationOf(database),
    })
    const { db } = database
    const authentication = registerIdentity(scope, {
      ...identity,
      db,
      endWorkspaceLinks: (handle) => endInvitationsOf(db, handle),
      isInvited: async (personId, workspace) => (await findRole(db, workspace, personId)) !== undefined,
      quarantinePackages: (who, owner, reason) =>
        quarantineOwner(db, who, owner, reason, registry.clock.now()),
    })
    const area = registerRegistry(scope, {
      ...registry,
      db,
      access: registryAccess(database, authentication),
    })
    const workspaces = registerPanels(
      scope,
      {
        ...panels,
        db,
        access: panelsAccess(database, authentication, panels.clock),
        async prepareFiles(files) {
          const write = await prepareFirstFiles(content, files)
          return (tx, at, by) => write(tx as Db<ContentTables & PanelsTables>, at, by)
        },
      },
      webSockets,
    )
    const files = { ...content, db, workspaces: workspacesOf(workspaces) }
    const editing = registerContent(scope, files)
    workspaces.connect(editing)
    const collection = createCollection(files)
    const deviceArea = registerDevices(scope, {
      ...devices,
      db,
      copy: database.copy,
      workspaces: workspacesOfDevices(workspaces),
    })
    workspaces.connect(deviceArea.socket)
    const boardArea = registerBoards(scope, {
      ...boards,
      db,
      files: {
        // Whoever may read a file may have it read.
        async admit(request, at, access) {
          if (access === 'ask') await authentication.requireChange(request)
          const caller = await workspaces.admit(request, at, { areas: ['files:read'], access: 'read' })
          return { by: partyOf(caller).handle }
        },
        list: (at, pattern, revision) => findMatchingFiles(db, at, pattern, revision),
      },
      libraries: {
        ...boards.libraries,
        // What KiCad finds is part of what the files say.
        async admit(request, at) {
          await authentication.requireChange(request)
          const caller = await workspaces.admit(request, at, { areas: ['files:write'], access: 'write' })
          return {
            by: partyOf(caller).handle,
            lock: (tx) => workspaces.lock(tx as Db<BoardsTables & PanelsTables>, at, caller),
          }
        },
        find: (request, identifier, version) => area.findArchive(request, identifier, version),
      },
    })
    registerSchematic(scope, {
      db,
      clock: boards.clock,
      libraries: boards.libraries.objects,
      createId: randomUUID,
      rewrite: (request, at, what, by) => editing.rewrite(request, at, what, by),
      rewriteAll: (request, at, what, by) => editing.rewriteAll(request, at, what, by),
    })
    scope.addHook('preClose', async () => {
      await editing.stop()
      await collection.stop()
      await deviceArea.stop()
      await boardArea.stop()
    })
    // Whoever awaits the preparation hears why it failed.
    preparation.finished.then(
      () => {
        area.start()
        workspaces.start()
        collection.start()
        editing.start()
        deviceArea.start()
        boardArea.start()
      },
      () => undefined,
    )
  })
}

/** What the registry may know of identity: who asks, and whether they may. */
function registryAccess(
  { db }: Database<ServerTables>,
  authentication: Authentication,
): RegistryAccess<Principal> {
  return {
    authenticate: (request) => authentication.authenticate(request),
    requireChange: (request) => authentication.requireChange(request),
    async requireAdministrator(request) {
      const who = await authentication.requirePersonsChange(request)
      if (!who.isAdmin) throw new Problem('not_permitted')
      return who
    },
    isAdministrator: ({ isAdmin }) => isAdmin,
    mayPublish: (who, owner) => isAllowedAny({ db }, who, 'packages', owner, 'write'),
    isAllowed: (who, owner, identifier, access) =>
      isAllowed({ db }, who, 'packages', owner, identifier, access),
  }
}

/** What panels may know of identity. */
function panelsAccess(
  { db }: Database<ServerTables>,
  authentication: Authentication,
  clock: Clock,
): PanelsAccess<Principal> {
  return {
    ...authentication,
    async mayReadAny(who, owner) {
      for (const area of PANEL_SCOPE_AREAS)
        if (await isAllowedAny({ db }, who, area, owner, 'read')) return true
      return false
    },
    ...rightsOf(db, clock),
    findCredentials: (ids) => findCredentials(db, ids),
    findPerson: (handle) => findPerson(db, handle),
  }
}

/** The part of it that needs no request: what the person of a session may do. */
export function rightsOf(
  db: Db<IdentityTables>,
  clock: Clock,
): Pick<PanelsAccess<Principal>, 'findSession' | 'isInScope' | 'isAllowed'> {
  return {
    findSession: (id) => findOpenSession(db, id, clock.now()),
    isInScope,
    isAllowed: (who, area, owner, repo, access) => isAllowed({ db }, who, area, owner, repo, access),
  }
}

/** What files may know of workspaces. */
function workspacesOf({ admit, lock, lockForServer, control }: Panels): Workspaces {
  return {
    async admit(request, at, access) {
      const caller = await admit(request, at, { areas: [`files:${access}`], access })
      return {
        party: partyOf(caller),
        // It is one database: a transaction of one area is one of all.
        lock: (tx) => lock(tx as Db<ContentTables & PanelsTables>, at, caller),
      }
    },
    lock: (tx, at) => lockForServer(tx as Db<ContentTables & PanelsTables>, at),
    notify: (at) => control.notify(at),
  }
}

const DEVICE_ADMISSIONS: Readonly<Record<DeviceAccess, Parameters<Panels['admit']>[2]>> = {
  read: { areas: ['devices:read'], access: 'read' },
  command: { areas: ['devices:command'], access: 'write' },
  stop: { areas: ['devices:command'], access: 'write', isUrgent: true },
  // Adding or removing one changes what the workspace consists of, as its layout does.
  manage: { areas: ['workspace'], access: 'write' },
}

/** What devices may know of workspaces. */
function workspacesOfDevices({ admit, admitPerson, lock, control }: Panels): WorkspacesOfDevices {
  const admitted = (caller: Awaited<ReturnType<Panels['admit']>>, at: WorkspaceRef) => ({
    party: partyOf(caller),
    lock: (tx: Db<DevicesTables>) => lock(tx as Db<DevicesTables & PanelsTables>, at, caller),
  })
  return {
    admit: async (request, at, access) => admitted(await admit(request, at, DEVICE_ADMISSIONS[access]), at),
    admitPerson: async (request, at) =>
      admitted(await admitPerson(request, at, DEVICE_ADMISSIONS.command), at),
    notify: (at) => control.notify(at),
  }
}

/** Whoever asks first makes it; everybody after that only reads, so that a stranger's GET is never a write. */
async function installationOf(database: Database<ServerTables>): Promise<Installation> {
  const { db } = database
  return (await findInstallation(db)) ?? (await findOrCreateInstallation(db))
}
