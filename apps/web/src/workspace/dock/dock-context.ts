import { createContext, useContext } from 'react'
import type { TabMenuRequest } from '../menus/tab-menu.tsx'

/** Opens the menu of a tab. */
export const DockContext = createContext<(request: TabMenuRequest) => void>(() => undefined)

export function useTabMenu(): (request: TabMenuRequest) => void {
  return useContext(DockContext)
}
