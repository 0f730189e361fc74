/** A page that nobody sees paints nothing, and would wait forever. */
const LONGEST_MS = 1_000

/** Settles when what was just changed is on the screen. */
export async function afterPainting(): Promise<void> {
  const painted = new Promise<void>((resolve) => {
    // The dock puts panels in place in a frame of its own; the one after that shows them.
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
  })
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, LONGEST_MS)
  })
  await Promise.race([painted, late])
}
