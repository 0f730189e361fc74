import { DEVICE_PANEL_KINDS } from '@patchbay/contracts/panels'
import type { PanelDefinition } from '../panel-definition.ts'

/** The panels that are built. Every other kind of the catalog shows that it is coming. */
export const PANELS: readonly PanelDefinition[] = [
  { kind: 'webview', load: async () => (await import('./webview/webview-panel.tsx')).WebviewPanel },
  { kind: 'web', load: async () => (await import('./web/web-panel.tsx')).WebPanel },
  { kind: 'sandbox', load: async () => (await import('./sandbox/sandbox-panel.tsx')).SandboxPanel },
  {
    kind: 'code-editor',
    load: async () => (await import('./code-editor/code-editor-panel.tsx')).CodeEditorPanel,
  },
  {
    kind: 'schematic-editor',
    load: async () => (await import('./schematic-editor/schematic-editor-panel.tsx')).SchematicEditorPanel,
  },
  {
    kind: 'script-runner',
    load: async () => (await import('./script-runner/script-runner-panel.tsx')).ScriptRunnerPanel,
  },
  {
    kind: 'curriculum',
    load: async () => (await import('./curriculum/curriculum-panel.tsx')).CurriculumPanel,
  },
  { kind: 'files', load: async () => (await import('./files/files-panel.tsx')).FilesPanel },
  { kind: 'viewer-3d', load: async () => (await import('./viewer-3d/viewer-3d-panel.tsx')).Viewer3dPanel },
  {
    kind: 'viewer-3d-board',
    load: async () => (await import('./viewer-3d-board/board-panel.tsx')).BoardPanel,
  },
  {
    kind: 'live-stream',
    load: async () => (await import('./media/media-panels.ts')).LiveStreamPanel,
  },
  {
    kind: 'webrtc-player',
    load: async () => (await import('./media/media-panels.ts')).WebrtcPlayerPanel,
  },
  {
    kind: 'zoom-camera',
    load: async () => (await import('./media/media-panels.ts')).ZoomCameraPanel,
  },
  {
    kind: 'system-log',
    load: async () => (await import('./system-log/system-log-panel.tsx')).SystemLogPanel,
  },
  ...DEVICE_PANEL_KINDS.map((kind) => ({
    kind,
    load: async () => (await import('./devices/device-panels.ts')).devicePanel(kind),
  })),
]
