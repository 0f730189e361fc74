import { Moon, Sun, SunMoon } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { IconButton } from '../components/icon-button.tsx'
import { Menu } from '../components/menu.tsx'
import { chooseTheme, currentTheme, isThemeChoice, subscribeToTheme } from './theme.ts'

const ENTRIES = [
  { id: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { id: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { id: 'system', label: 'System', icon: <SunMoon aria-hidden /> },
] as const

export function ThemeMenu() {
  const choice = useSyncExternalStore(subscribeToTheme, currentTheme)
  const entry = ENTRIES.find(({ id }) => id === choice)
  return (
    <MenuTrigger>
      <IconButton label={`Theme: ${entry?.label ?? choice}`}>{entry?.icon}</IconButton>
      <Menu
        aria-label="Theme"
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
