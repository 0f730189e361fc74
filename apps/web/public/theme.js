// Runs before the first paint; the key and the values are those of src/theme/theme.ts.
try {
  const choice = localStorage.getItem('patchbay.theme')
  document.documentElement.dataset.theme = choice === 'light' || choice === 'dark' ? choice : 'system'
} catch {
  // Storage is refused in some private modes; the system's theme is right then.
  document.documentElement.dataset.theme = 'system'
}
