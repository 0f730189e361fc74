/**
 * Lines of the log, written once everything has been heard that came at the same moment: Ctrl-C reaches PostgreSQL
 * too, and a busy process may read that its connections broke before it reads the signal.
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
      if (held.push(line) === 1) setImmediate(flush)
    },
    /** At once, as when the process ends. */
    flush,
    drop(): void {
      held = []
    },
  }
}
