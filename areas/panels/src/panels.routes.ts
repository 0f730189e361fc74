import { Problem } from '@patchbay/contracts/core'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import type { HttpApp } from '@patchbay/kernel/http'
import type { Sweeper } from '@patchbay/kernel/lifecycle'
import type { Db } from '@patchbay/kernel/postgres'
import type { WebSockets } from '@patchbay/kernel/websocket'
import { registerAccess } from './access/access.routes.ts'
import { noteAction, noteForParty, requireNotEnded } from './access/action.store.ts'
import { admitPerson, admitToPart } from './access/admission.store.ts'
import { registerMembers } from './access/members.routes.ts'
import { type Admission, mayReadAny } from './access/rights.store.ts'
import { registerCatalog } from './catalog/catalog.routes.ts'
import type { Channel, Control } from './control.ts'
import { registerCourses } from './courses/progress.routes.ts'
import type { Asking, Caller, PanelsDeps } from './deps.ts'
import { createHousekeeping } from './housekeeping.store.ts'
import { moveRevision } from './locks.store.ts'
import { registerModels } from './proxy/model.routes.ts'
import { registerProxyTickets } from './proxy/proxy-ticket.routes.ts'
import { createControl } from './rooms/control.socket.ts'
import { createQueueRunner } from './sandbox/queue-runner.store.ts'
import { registerSandbox } from './sandbox/sandbox.routes.ts'
import { registerScreenshots } from './screenshots/screenshot.routes.ts'
import type { PanelsTables } from './tables.ts'
import { registerWebview } from './webview/webview.routes.ts'
import { registerWorkspaces } from './workspaces/workspaces.routes.ts'

export interface Panels {
  readonly control: Control
  /** For other parts of a workspace: who asks, and what they did. */
  readonly admit: (request: Asking, at: WorkspaceRef, admission: Admission) => Promise<Caller>
  /** The same for a change that a person makes in their browser. */
  readonly admitPerson: (request: Asking, at: WorkspaceRef, admission: Admission) => Promise<Caller>
  /**
   * Locks the workspace until the transaction ends; throws when it is gone or the caller's access was ended. Answers what
   * notes an action.
   */
  readonly lock: (
    tx: Db<PanelsTables>,
    at: WorkspaceRef,
    caller: Caller,
  ) => Promise<(action: string, reason?: string) => Promise<void>>
  /**
   * The same for what the server does by itself, on behalf of people who did it before. `undefined`: the workspace is gone.
   */
  readonly lockForServer: (
    tx: Db<PanelsTables>,
    at: WorkspaceRef,
  ) => Promise<((by: ActingParty, action: string) => Promise<void>) | undefined>
  /** What another part of the product says and hears over the sockets of workspaces. */
  readonly connect: (channel: Channel) => void
  readonly housekeeping: Sweeper
  /** Begins to sweep; the tables must be there. Ends with the server. */
  start(): void
}

/** Every route and socket of the area. */
export function registerPanels(app: HttpApp, deps: PanelsDeps, webSockets: WebSockets): Panels {
  const { control, connect, stop } = createControl(deps, createQueueRunner(deps), webSockets)
  const housekeeping = createHousekeeping(deps)
  registerCatalog(app, deps, (caller, owner) => mayReadAny(deps, caller, owner))
  registerWorkspaces(app, deps, control)
  registerAccess(app, deps, control)
  registerMembers(app, deps, control)
  registerWebview(app, deps, control)
  registerSandbox(app, deps, control)
  registerScreenshots(app, deps, control)
  registerProxyTickets(app, deps)
  registerModels(app, deps)
  registerCourses(app, deps)
  app.addHook('preClose', async () => {
    await housekeeping.stop()
    await stop()
  })
  return {
    control,
    housekeeping,
    admit: (request, at, admission) => admitToPart(deps, request, at, admission),
    admitPerson: async (request, at, admission) =>
      (await admitPerson(deps, request, at, true, admission)).caller,
    async lock(tx, at, caller) {
      const revision = await moveRevision(tx, at, null)
      if (revision === undefined) throw new Problem('workspace_not_found')
      await requireNotEnded(tx, at, caller)
      return (action, reason) =>
        noteAction(tx, at, revision, { caller, tabId: null, action, reason }, deps.clock.now())
    },
    async lockForServer(tx, at) {
      let revision = await moveRevision(tx, at, null)
      if (revision === undefined) return undefined
      return async (by, action) => {
        if (revision !== undefined) await noteForParty(tx, at, revision, by, action, deps.clock.now())
        revision = await moveRevision(tx, at, null)
      }
    },
    connect,
    start: () => housekeeping.start(),
  }
}
