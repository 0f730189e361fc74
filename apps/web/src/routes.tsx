import type { RouteObject } from 'react-router'
import { BrokenPage, BrokenShell } from './errors/broken-page.tsx'
import { HomePage } from './home/home.page.tsx'
import { PageLoading } from './shell/page-loading.tsx'
import { Shell } from './shell/shell.tsx'
import { NotFoundPage } from './errors/not-found.page.tsx'

/** Pages below the shell. An area adds its own here; everything but the home page is loaded when first visited. */
const pages: RouteObject[] = [
  { index: true, Component: HomePage },
  {
    path: 'workspaces',
    lazy: async () => ({ Component: (await import('./areas/workspaces.page.tsx')).WorkspacesPage }),
  },
  {
    path: 'packages',
    lazy: async () => ({ Component: (await import('./areas/packages.page.tsx')).PackagesPage }),
  },
  {
    path: 'account',
    lazy: async () => ({ Component: (await import('./areas/account.page.tsx')).AccountPage }),
  },
  {
    path: 'components',
    lazy: async () => ({ Component: (await import('./gallery/gallery.page.tsx')).GalleryPage }),
  },
  { path: '*', Component: NotFoundPage },
]

export const routes: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: BrokenShell,
    children: [{ ErrorBoundary: BrokenPage, HydrateFallback: PageLoading, children: pages }],
  },
]
