import { useEffect, useState } from 'react'
import { subscribeToTheme } from '../../theme/theme.ts'

/** The colors behind tokens, as a canvas understands them: it knows neither variables nor `light-dark()`. */
export function colorsOf<Name extends string>(
  element: HTMLElement,
  tokens: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const probe = document.createElement('span')
  element.append(probe)
  const colors = { ...tokens } as Record<Name, string>
  for (const name of Object.keys(tokens) as Name[]) {
    probe.style.color = `var(${tokens[name]})`
    colors[name] = getComputedStyle(probe).color
  }
  probe.remove()
  return colors
}

/** Another number whenever the theme may have changed: what is painted must be painted anew. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const next = () => setVersion((before) => before + 1)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', next)
    const unsubscribe = subscribeToTheme(next)
    return () => {
      dark.removeEventListener('change', next)
      unsubscribe()
    }
  }, [])
  return version
}
