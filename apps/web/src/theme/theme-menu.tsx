import { Moon, Sun, SunMoon } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { IconButton } from '../components/icon-button.tsx'
import { Menu } from '../components/menu.tsx'
import { chooseTheme, currentTheme, isThemeChoice, subscribeToTheme } from './theme.ts'
import { words } from './words.ts'

const ENTRIES = [
  { id: 'light', label: words.light, icon: <Sun aria-hidden /> },
  { id: 'dark', label: words.dark, icon: <Moon aria-hidden /> },
  { id: 'system', label: words.system, icon: <SunMoon aria-hidden /> },
] as const

export function ThemeMenu() {
  const choice = useSyncExternalStore(subscribeToTheme, currentTheme)
  const entry = ENTRIES.find(({ id }) => id === choice)
  return (
    <MenuTrigger>
      <IconButton label={words.current(entry?.label ?? choice)}>{entry?.icon}</IconButton>
      <Menu
        aria-label={words.label}
        entries={ENTRIES}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[choice]}
        onSelectionChange={(keys) => {
          const [chosen] = keys
          if (isThemeChoice(chosen)) chooseTheme(chosen)
        }}
      />
    </MenuTrigger>
  )
}
