import { useRef } from 'react'
import { RouterProvider } from 'react-aria-components'
import { Outlet, ScrollRestoration, useNavigate } from 'react-router'
import { SkipLink } from '../components/skip-link.tsx'
import { ToastRegion } from '../components/toast.tsx'
import { NewSessionNotice } from '../session/new-session-notice.tsx'
import { SessionProvider } from '../session/session-context.tsx'
import { Footer } from './footer.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

/** What stands around every page. */
export function Shell() {
  const navigate = useNavigate()
  const main = useRef<HTMLElement>(null)
  useHeadingFocus(main)

  return (
    <RouterProvider navigate={(path) => void navigate(path)}>
      <SessionProvider>
        <div className={styles.shell}>
          <SkipLink target={main}>Skip to content</SkipLink>
          <TopBar />
          <NavigationProgress />
          <div className={styles.content}>
            <NewSessionNotice />
            <main ref={main} id="main" tabIndex={-1} className={styles.main}>
              <Outlet />
            </main>
          </div>
          <Footer />
        </div>
      </SessionProvider>
      <ToastRegion />
      <ScrollRestoration />
    </RouterProvider>
  )
}
