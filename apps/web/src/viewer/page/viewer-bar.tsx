import { type ComponentType, lazy, Suspense } from 'react'
import { Link as AriaLink } from 'react-aria-components/Link'
import { Mark } from '../../brand/mark.tsx'
import { classes } from '../../components/classes.ts'
import { Lamp } from '../../components/lamp.tsx'
import { useValue } from '../../parts/use-value.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
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

function LateThemeMenu() {
  return (
    <span className={styles.theme}>
      <Suspense>
        <ThemeMenu />
      </Suspense>
    </span>
  )
}

/** Where one is: whose project, and whether the viewer answers. */
export function ViewerBar() {
  const { link, isActive, status } = useViewer()
  const state = useValue(link)
  const isHere = useValue(isActive)
  const project = useValue(status)?.project
  const lamp =
    state === 'open'
      ? ({ state: isHere ? 'ok' : 'off', label: isHere ? words.bar.active : words.bar.notActive } as const)
      : ({
          state: state === 'away' ? 'warning' : 'off',
          label: state === 'away' ? words.bar.reconnecting : words.bar.connecting,
        } as const)
  return (
    <header className={styles.bar}>
      <AriaLink href="/" aria-label={words.bar.home} className={classes(styles.brand)}>
        <Mark size={24} />
      </AriaLink>
      <p className={styles.project} title={project}>
        {project === undefined ? words.bar.noProject : nameOf(project)}
      </p>
      <Lamp {...lamp} />
      <LateThemeMenu />
    </header>
  )
}

/** The last part of a folder's path, on any system. */
function nameOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path
}
