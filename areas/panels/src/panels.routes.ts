import type { HttpApp } from '@patchbay/kernel/http'
import type { WebSockets } from '@patchbay/kernel/websocket'
import { registerAccess } from './access/access.routes.ts'
import { registerCatalog } from './catalog/catalog.routes.ts'
import type { Control } from './control.ts'
import type { PanelsDeps } from './deps.ts'
import { createHousekeeping, type Housekeeping } from './housekeeping.store.ts'
import { registerModels } from './proxy/model.routes.ts'
import { registerProxyTickets } from './proxy/proxy-ticket.routes.ts'
import { createControl } from './rooms/control.socket.ts'
import { createQueueRunner } from './sandbox/queue-runner.store.ts'
import { registerSandbox } from './sandbox/sandbox.routes.ts'
import { registerScreenshots } from './screenshots/screenshot.routes.ts'
import { registerWebview } from './webview/webview.routes.ts'
import { registerWorkspaces } from './workspaces/workspaces.routes.ts'

export interface Panels {
  readonly control: Control
  readonly housekeeping: Housekeeping
  /** Begins to sweep; the tables must be there. Ends with the server. */
  start(): void
}

/** Every route and socket of the area. */
export function registerPanels(app: HttpApp, deps: PanelsDeps, webSockets: WebSockets): Panels {
  const { control, stop } = createControl(deps, createQueueRunner(deps), webSockets)
  const housekeeping = createHousekeeping(deps)
  registerCatalog(app, deps)
  registerWorkspaces(app, deps, control)
  registerAccess(app, deps, control)
  registerWebview(app, deps, control)
  registerSandbox(app, deps, control)
  registerScreenshots(app, deps, control)
  registerProxyTickets(app, deps)
  registerModels(app, deps)
  app.addHook('preClose', async () => {
    await housekeeping.stop()
    await stop()
  })
  return { control, housekeeping, start: () => housekeeping.start() }
}
