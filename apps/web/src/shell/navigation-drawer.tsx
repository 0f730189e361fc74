import { House, Menu } from 'lucide-react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Link as AriaLink } from 'react-aria-components/Link'
import { useLocation } from 'react-router'
import { AboutButton } from '../about/about-dialog.tsx'
import { classes } from '../components/classes.ts'
import { Drawer } from '../components/drawer.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { isCurrent, NAVIGATION } from './navigation.ts'
import styles from './navigation-drawer.module.css'
import { words } from './words.tsx'

const ENTRIES = [{ href: '/', label: words.navigation.home, Icon: House }, ...NAVIGATION]

/** The primary navigation where the top bar has no room for it. */
export function NavigationDrawer() {
  const { pathname } = useLocation()
  return (
    <DialogTrigger>
      <IconButton label={words.navigation.menu}>
        <Menu aria-hidden />
      </IconButton>
      <Drawer title={words.navigation.menu}>
        {(close) => (
          <>
            <nav aria-label={words.navigation.label} className={styles.list}>
              {ENTRIES.map(({ href, label, Icon }) => (
                <AriaLink
                  key={href}
                  href={href}
                  onPress={close}
                  className={classes(styles.link)}
                  {...(isCurrent(href, pathname) ? { 'aria-current': 'page' } : {})}
                >
                  <Icon aria-hidden />
                  {label}
                </AriaLink>
              ))}
            </nav>
            <div className={styles.more}>
              <AboutButton />
            </div>
          </>
        )}
      </Drawer>
    </DialogTrigger>
  )
}
