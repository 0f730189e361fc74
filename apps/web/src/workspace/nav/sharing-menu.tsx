import { AppWindow, Monitor, MonitorUp } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { MenuTrigger } from 'react-aria-components/Menu'
import buttons from '../../components/button.module.css'
import { classes } from '../../components/classes.ts'
import { Menu } from '../../components/menu.tsx'
import { words } from '../words.tsx'
import { useSharing, useWorkspaceSession } from '../workspace-context.ts'
import styles from './nav-bar.module.css'
import { type Shared, useStartSharing } from './use-start-sharing.ts'

/** The monitor in the bar: begins and ends the sharing of this page, and of the whole screen. */
export function SharingMenu() {
  const { capturer } = useWorkspaceSession()
  const startSharing = useStartSharing()
  const isPage = useSharing('workspace')
  const isScreen = useSharing('screen')
  const isOn = isPage || isScreen
  const press = (what: Shared) => (capturer.isSharing(what) ? capturer.stop(what) : startSharing(what))
  return (
    <MenuTrigger>
      <AriaButton
        aria-label={labelOf(isPage, isScreen)}
        className={classes(buttons.button, styles.share)}
        data-variant="ghost"
        data-size="sm"
        data-sharing={isOn ? [isPage && 'page', isScreen && 'screen'].filter(Boolean).join(' ') : 'off'}
      >
        {isOn ? <MonitorUp aria-hidden /> : <Monitor aria-hidden />}
        <span className={styles.long}>{words.sharing.bar}</span>
      </AriaButton>
      <Menu
        aria-label={words.sharing.menu}
        entries={[
          {
            id: 'workspace',
            label: isPage ? words.sharing.stopPage : words.sharing.startPage,
            icon: <AppWindow aria-hidden />,
          },
          {
            id: 'screen',
            label: isScreen ? words.sharing.stopScreen : words.sharing.startScreen,
            icon: <Monitor aria-hidden />,
          },
        ]}
        onAction={(key) => press(key as Shared)}
      />
    </MenuTrigger>
  )
}

function labelOf(isPage: boolean, isScreen: boolean): string {
  if (isPage && isScreen) return words.sharing.pageAndScreen
  if (isPage) return words.sharing.page
  return isScreen ? words.sharing.screen : words.sharing.none
}
