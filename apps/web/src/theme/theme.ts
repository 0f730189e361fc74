export type ThemeChoice = 'light' | 'dark' | 'system'

// public/theme.js reads the same key before the first paint.
const STORAGE_KEY = 'patchbay.theme'
const listeners = new Set<() => void>()

export function isThemeChoice(value: unknown): value is ThemeChoice {
  return value === 'light' || value === 'dark' || value === 'system'
}

export function currentTheme(): ThemeChoice {
  const choice = document.documentElement.dataset['theme']
  return isThemeChoice(choice) ? choice : 'system'
}

function apply(choice: ThemeChoice): void {
  document.documentElement.dataset['theme'] = choice
  for (const listener of listeners) listener()
}

export function chooseTheme(choice: ThemeChoice): void {
  apply(choice)
  try {
    localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    // Storage is refused in some private modes; the choice then holds until the page is closed.
  }
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key === STORAGE_KEY && isThemeChoice(event.newValue)) apply(event.newValue)
}

export function subscribeToTheme(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', followOtherTabs)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', followOtherTabs)
  }
}
