import type { HttpApp } from '@patchbay/kernel/http'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { createChange } from './changing.routes.ts'
import { registerClosedTabs } from './closed-tab.routes.ts'
import { registerCurrent } from './current.routes.ts'
import { registerLayoutChanges } from './layout.routes.ts'
import { registerNewTabs } from './new-tab.routes.ts'
import { registerShared } from './shared.routes.ts'
import { registerTrash } from './trash.routes.ts'
import { registerWorkspaceList } from './workspace.routes.ts'

/** Workspaces, and the layout of each. */
export function registerWorkspaces(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const change = createChange(deps, control)
  registerWorkspaceList(app, deps, control)
  registerShared(app, deps)
  registerTrash(app, deps)
  registerCurrent(app, deps, control, change)
  registerNewTabs(app, deps, change)
  registerLayoutChanges(app, deps, control, change)
  registerClosedTabs(app, deps, change)
}
