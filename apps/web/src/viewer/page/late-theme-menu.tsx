import { type ComponentType, lazy, Suspense } from 'react'
import styles from './viewer-bar.module.css'

/** Menus are a third of what the page would load first. One that cannot be fetched is missed, and nothing else is. */
const ThemeMenu = lazy<ComponentType>(async () => {
  try {
    const { ThemeMenu: Loaded } = await import('../../theme/theme-menu.tsx')
    return { default: Loaded }
  } catch {
    return { default: () => null }
  }
})

export function LateThemeMenu() {
  return (
    <span className={styles.theme}>
      <Suspense>
        <ThemeMenu />
      </Suspense>
    </span>
  )
}
