/** What the menu of themes says. */
export const words = {
  label: 'Theme',
  current: (theme: string) => `Theme: ${theme}`,
  light: 'Light',
  dark: 'Dark',
  system: 'System',
}
