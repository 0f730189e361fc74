import type { RouteObject } from 'react-router'
import { HomePage } from './home/home.page.tsx'
import { BrokenPage, BrokenShell } from './shell/broken-page.tsx'
import { NotFoundPage } from './shell/not-found.page.tsx'
import { PageLoading } from './shell/page-loading.tsx'
import { Shell } from './shell/shell.tsx'

/** Pages below the shell. An area adds its own here; everything but the home page is loaded when first visited. */
const pages: RouteObject[] = [
  { index: true, Component: HomePage },
  {
    path: 'workspaces',
    lazy: async () => ({ Component: (await import('./areas/workspaces.page.tsx')).WorkspacesPage }),
  },
  {
    // A document of its own, with a policy of its own: the router must not try to show it.
    path: 'workspaces/:owner/:repo',
    loader: ({ request }) => {
      location.assign(request.url)
      return new Promise<never>(() => undefined)
    },
  },
  {
    path: 'packages',
    lazy: async () => ({
      Component: (await import('./packages/catalog/catalog.page.tsx')).CatalogPage,
    }),
  },
  {
    path: 'packages/:identifier',
    lazy: async () => ({ Component: (await import('./packages/package/package.page.tsx')).PackagePage }),
  },
  {
    path: 'publishers/:owner',
    lazy: async () => ({
      Component: (await import('./packages/publisher/publisher.page.tsx')).PublisherPage,
    }),
  },
  {
    path: 'account',
    lazy: async () => ({ Component: (await import('./identity/account/account.page.tsx')).AccountPage }),
  },
  {
    path: 'account/people',
    lazy: async () => ({ Component: (await import('./identity/people/people.page.tsx')).PeoplePage }),
  },
  {
    path: 'approve',
    lazy: async () => ({ Component: (await import('./identity/approve/approve.page.tsx')).ApprovePage }),
  },
  {
    path: 'sign-in',
    lazy: async () => ({ Component: (await import('./identity/sign-in/sign-in.page.tsx')).SignInPage }),
  },
  {
    path: 'sign-up',
    lazy: async () => ({ Component: (await import('./identity/sign-up/sign-up.page.tsx')).SignUpPage }),
  },
  {
    path: 'welcome',
    lazy: async () => ({ Component: (await import('./identity/welcome/welcome.page.tsx')).WelcomePage }),
  },
  {
    path: 'join',
    lazy: async () => ({ Component: (await import('./identity/join/join.page.tsx')).JoinPage }),
  },
  {
    path: 'components',
    lazy: async () => ({ Component: (await import('./gallery/gallery.page.tsx')).GalleryPage }),
  },
  {
    path: 'components/instruments',
    lazy: async () => ({ Component: (await import('./gallery/instruments.page.tsx')).InstrumentsPage }),
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
