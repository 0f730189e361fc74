const MOST_NAMES = 256

/**
 * Names the first texts it sees; the others get none. Each name costs memory on every connection of the server, and
 * texts that vary with their input (a list of any length, say) would never end.
 */
export function nameStatements(most = MOST_NAMES): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= most) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}
