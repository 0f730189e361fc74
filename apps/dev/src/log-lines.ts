/** A person does not notice it, and a busy process reads a signal within it. */
const HELD_MS = 300

/**
 * Lines of the log, written a moment later: Ctrl-C reaches PostgreSQL too, and a busy process may read that its
 * connections broke before it reads the signal.
 */
export function holdLines(write: (text: string) => void) {
  let held: string[] = []
  const flush = () => {
    const lines = held
    held = []
    for (const line of lines) write(line)
  }
  return {
    write(line: string): void {
      if (held.push(line) === 1) setTimeout(flush, HELD_MS).unref()
    },
    /** At once, as when the process ends. */
    flush,
    drop(): void {
      held = []
    },
  }
}
