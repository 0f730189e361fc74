import { findLeaf } from '@patchbay/workspace-layout'
import type { DockviewGroupPanel } from 'dockview-react'
import { ChevronDown } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { IconButton } from '../../components/icon-button.tsx'
import { Menu } from '../../components/menu.tsx'
import { PanelIcon } from '../icons.tsx'
import { words } from '../words.tsx'
import { useCatalog, useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { useOverflow } from './use-overflow.ts'

/** The tabs of a leaf as a list, where they do not all fit beside each other. */
export function AllTabs({ group }: { group: DockviewGroupPanel }) {
  const { dock } = useWorkspaceSession()
  const { panels } = useCatalog()
  const leaf = useWorkspace(({ layout }) => findLeaf(layout, group.id))
  const tabs = leaf?.tabs ?? []
  const isNeeded = useOverflow(group.element)
  if (!isNeeded) return null
  return (
    <MenuTrigger>
      <IconButton size="sm" label={words.dock.allOf(tabs.length)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <Menu
        aria-label={words.dock.allTabs}
        entries={tabs.map(({ id, title, icon, panel }) => ({
          id,
          label: title,
          icon: <PanelIcon name={icon ?? panels.get(panel)?.icon} />,
        }))}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={group.activePanel === undefined ? [] : [group.activePanel.id]}
        onAction={(key) => dock.get()?.showTab(String(key))}
      />
    </MenuTrigger>
  )
}
