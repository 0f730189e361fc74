// The key and the values are those of the web app, so that a choice there holds here.
;(() => {
  const key = 'patchbay.theme'
  const isLight = matchMedia('(prefers-color-scheme: light)')
  const stored = () => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage is refused in some private modes; the system's theme is right then.
      return null
    }
  }
  const show = () => {
    const choice = stored()
    const system = isLight.matches ? 'light' : 'dark'
    document.documentElement.dataset.theme = choice === 'light' || choice === 'dark' ? choice : system
    for (const select of document.querySelectorAll('select[data-theme-choice]'))
      select.value = choice === 'light' || choice === 'dark' ? choice : 'system'
  }
  show()
  isLight.addEventListener('change', show)
  addEventListener('storage', show)
  addEventListener('DOMContentLoaded', () => {
    show()
    for (const select of document.querySelectorAll('select[data-theme-choice]'))
      select.addEventListener('change', () => {
        try {
          localStorage.setItem(key, select.value)
          show()
        } catch {
          document.documentElement.dataset.theme =
            select.value === 'system' ? (isLight.matches ? 'light' : 'dark') : select.value
        }
      })
  })
})()
