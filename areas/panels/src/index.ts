export type { Caller, PanelsAccess, PanelsDeps, PanelsSettings } from './deps.ts'
export { type Panels, registerPanels } from './panels.routes.ts'
export { panelsMigrations, type PanelsTables, panelsTables } from './tables.ts'
export { registerPageProxy } from './proxy/page-proxy.routes.ts'
