import { Bot, Plus, Search, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link as AriaLink } from 'react-aria-components/Link'
import { Mark } from '../../brand/mark.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { Lamp } from '../../components/lamp.tsx'
import { useValue } from '../../parts/use-value.ts'
import { AccountMenu } from '../../session/account-menu.tsx'
import { ThemeMenu } from '../../theme/theme-menu.tsx'
import { keysInWords, onMac } from '../menus/shortcut.ts'
import { PeopleMenu } from '../people/people-menu.tsx'
import { words as shareWords } from '../share/words.tsx'
import type { Snapshot } from '../store/snapshot.ts'
import { words } from '../words.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { AgentsDrawer } from './agents-drawer.tsx'
import styles from './nav-bar.module.css'
import { SharingMenu } from './sharing-menu.tsx'

const ShareDialog = lazy(async () => ({ default: (await import('../share/share-dialog.tsx')).ShareDialog }))

const LAMPS = { opening: 'off', open: 'ok', away: 'warning', ended: 'danger' } as const

/** The bar of a workspace: where one is, who acts, and what can be added. */
export function NavBar() {
  const { workspace, overlay } = useWorkspaceSession()
  const link = useWorkspace((snapshot) => snapshot.link)
  const owner = useWorkspace((snapshot) => snapshot.owner)
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  // Fetched when it is first opened; stays then, so that it can close in its own time.
  const [sharing, setSharing] = useState<'never opened' | 'open' | 'closed'>('never opened')
  const areAgentsShown = useValue(overlay)?.type === 'agents'
  return (
    <header className={styles.bar}>
      <AriaLink href="/workspaces" aria-label={words.nav.home} className={classes(styles.brand)}>
        <Mark size={24} />
      </AriaLink>
      <p className={styles.name}>
        <span className={styles.owner}>
          {workspace.owner}
          {'/'}
        </span>
        <span className={styles.repo}>{workspace.repo}</span>
      </p>
      <span className={styles.lamp}>
        <Lamp state={LAMPS[link]} label={words.nav.links[link]} />
      </span>
      {link === 'open' && !mayChange && <Badge tone="info">{words.nav.viewOnly}</Badge>}
      {link === 'open' && <span className={styles.hint}>{wordsFor(owner, mayChange)}</span>}
      <PeopleMenu />
      <div className={styles.tools}>
        {mayChange && (
          <Button
            variant="primary"
            size="sm"
            aria-label={words.nav.add}
            icon={<Plus aria-hidden />}
            onPress={() => overlay.set({ type: 'picker' })}
          >
            <span className={styles.long}>{words.nav.add}</span>
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          aria-label={words.nav.agents}
          icon={<Bot aria-hidden />}
          onPress={() => overlay.set({ type: 'agents' })}
        >
          <span className={styles.long}>{words.nav.agents}</span>
        </Button>
        <Button
          variant="ghost"
          size="sm"
          aria-label={shareWords.open}
          icon={<UserPlus aria-hidden />}
          onPress={() => setSharing('open')}
        >
          <span className={styles.long}>{shareWords.open}</span>
        </Button>
        <IconButton
          label={words.nav.palette(keysInWords('Mod+K', onMac()))}
          onPress={() => overlay.set({ type: 'palette' })}
        >
          <Search aria-hidden />
        </IconButton>
        <SharingMenu />
        <ThemeMenu />
        <AccountMenu />
      </div>
      {sharing !== 'never opened' && (
        <Suspense>
          <ShareDialog
            isOpen={sharing === 'open'}
            onOpenChange={(isOpen) => setSharing(isOpen ? 'open' : 'closed')}
          />
        </Suspense>
      )}
      <AgentsDrawer
        isOpen={areAgentsShown}
        onOpenChange={(isOpen) => overlay.set(isOpen ? { type: 'agents' } : undefined)}
      />
    </header>
  )
}

function wordsFor({ isYou, browsers }: Snapshot['owner'], mayChange: boolean): string {
  if (!mayChange || browsers < 2) return ''
  return isYou ? words.nav.commandsHere(browsers) : words.nav.commandsElsewhere(browsers)
}
