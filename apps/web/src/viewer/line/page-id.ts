const KEY = 'patchbay.viewer.page'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id of the page that was in this tab before, or a new one, which is kept for the page that follows. */
export function keepPageId(newId: () => string): string {
  try {
    const kept = sessionStorage.getItem(KEY)
    if (kept !== null && UUID.test(kept)) return kept
    const id = newId()
    sessionStorage.setItem(KEY, id)
    return id
  } catch {
    // Storage is refused, as in a frame of another origin where the browser keeps nothing for those.
    return newId()
  }
}
