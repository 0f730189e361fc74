import type { PanelHost } from '../../panel-definition.ts'

/** Panels that show a design, and keep the reference of what is selected as `selected`. */
const KINDS = ['viewer-3d-board', 'schematic-editor']

interface Probe {
  readonly host: PanelHost
  readonly tabId: string
  /** Of the file that the panel shows. */
  readonly path: string
  /** The reference of a component, such as `U3`. */
  readonly selected: string
}

/**
 * Selects what a person has picked in the other panels of the same design: the files of a design are in one folder. For
 * what a person does, and not for what a state says: two panels would otherwise answer each other.
 */
export function crossProbe({ host, tabId, path, selected }: Probe): void {
  host.patchPanels(tabId, KINDS, (shown) => {
    const other = shown['path']
    const isSame = typeof other === 'string' && folderOf(other) === folderOf(path)
    return isSame && shown['selected'] !== selected ? { selected } : undefined
  })
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
