import { Link as AriaLink } from 'react-aria-components/Link'
import { useLocation } from 'react-router'
import { AboutButton } from '../about/about-dialog.tsx'
import { Mark } from '../brand/mark.tsx'
import { classes } from '../components/classes.ts'
import { AccountMenu } from '../session/account-menu.tsx'
import { ThemeMenu } from '../theme/theme-menu.tsx'
import { isCurrent, NAVIGATION } from './navigation.ts'
import { NavigationDrawer } from './navigation-drawer.tsx'
import styles from './top-bar.module.css'
import { words } from './words.tsx'

export function TopBar() {
  const { pathname } = useLocation()
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <AriaLink href="/" aria-label={words.topBar.home} className={classes(styles.brand)}>
          <Mark size={26} />
          <span>{words.product}</span>
        </AriaLink>
        <nav aria-label={words.navigation.label} className={styles.navigation}>
          {NAVIGATION.map(({ href, label }) => (
            <AriaLink
              key={href}
              href={href}
              className={classes(styles.link)}
              {...(isCurrent(href, pathname) ? { 'aria-current': 'page' } : {})}
            >
              {label}
            </AriaLink>
          ))}
        </nav>
        <div className={styles.tools}>
          <span className={styles.wide}>
            <AboutButton />
          </span>
          <ThemeMenu />
          <AccountMenu />
          <span className={styles.narrow}>
            <NavigationDrawer />
          </span>
        </div>
      </div>
    </header>
  )
}
