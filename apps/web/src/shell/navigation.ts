import { Boxes, CircleUser, LayoutPanelLeft } from 'lucide-react'

/** The primary navigation, in the top bar and in the drawer. */
export const NAVIGATION = [
  { href: '/workspaces', label: 'Workspaces', Icon: LayoutPanelLeft },
  { href: '/packages', label: 'Packages', Icon: Boxes },
  { href: '/account', label: 'Account', Icon: CircleUser },
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
