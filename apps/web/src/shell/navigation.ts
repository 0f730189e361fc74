import { Boxes, CircleUser, LayoutPanelLeft } from 'lucide-react'
import { words } from './words.tsx'

/** The primary navigation, in the top bar and in the drawer. */
export const NAVIGATION = [
  { href: '/workspaces', label: words.navigation.workspaces, Icon: LayoutPanelLeft },
  { href: '/packages', label: words.navigation.packages, Icon: Boxes },
  { href: '/account', label: words.navigation.account, Icon: CircleUser },
] as const

/** Pages that belong to an area without standing below it. */
const FURTHER_PATHS: Readonly<Record<string, string>> = { '/packages': '/publishers/' }

/** A page below an area belongs to it: /packages/a.b.c lights Packages. */
export function isCurrent(href: string, pathname: string): boolean {
  const further = FURTHER_PATHS[href]
  return (
    pathname === href ||
    pathname.startsWith(`${href}/`) ||
    (further !== undefined && pathname.startsWith(further))
  )
}
