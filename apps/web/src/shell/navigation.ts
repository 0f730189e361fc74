import { Boxes, CircleUser, LayoutPanelLeft } from 'lucide-react'

/** The primary navigation, in the top bar and in the drawer. */
export const NAVIGATION = [
  { href: '/workspaces', label: 'Workspaces', Icon: LayoutPanelLeft },
  { href: '/packages', label: 'Packages', Icon: Boxes },
  { href: '/account', label: 'Account', Icon: CircleUser },
] as const

/** A page below an area belongs to it: /packages/a.b.c lights Packages. */
export function isCurrent(href: string, pathname: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`)
}
