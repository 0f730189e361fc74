import { type RefObject, useEffect, useRef } from 'react'
import { RouterProvider } from 'react-aria-components'
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router'
import { SkipLink } from '../components/skip-link.tsx'
import { ToastRegion } from '../components/toast.tsx'
import { NewSessionNotice } from '../session/new-session-notice.tsx'
import { SessionProvider } from '../session/session-context.tsx'
import { Footer } from './footer.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'
import { words } from './words.tsx'

/** What stands around every page. */
export function Shell() {
  const navigate = useNavigate()
  const main = useRef<HTMLElement>(null)
  useHeadingFocus(main)

  return (
    <RouterProvider navigate={(path) => void navigate(path)}>
      <SessionProvider>
        <div className={styles.shell}>
          <SkipLink target={main}>{words.skip}</SkipLink>
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

/**
 * Moves focus to the new page's heading, or to the heading that the address names, after a navigation. Without it
 * the focus stays on a link of the page before, and a screen reader says nothing about the change.
 */
function useHeadingFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname + hash)
  useEffect(() => {
    if (shown.current === pathname + hash) return
    shown.current = pathname + hash
    const named =
      hash === '' ? null : document.querySelector<HTMLElement>(`main #${CSS.escape(hash.slice(1))}`)
    const heading = named ?? main.current?.querySelector('h1')
    heading?.focus({ preventScroll: true })
  }, [pathname, hash, main])
}
