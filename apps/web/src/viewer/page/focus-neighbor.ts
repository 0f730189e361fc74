/**
 * Moves the focus to the picture after the one that goes, or to the one before it: it would fall to the top of the page.
 * Answers whether there was one.
 */
export function focusNeighbor(inside: HTMLElement | null): boolean {
  const places = Array.from(document.querySelectorAll<HTMLElement>('[data-picture]'))
  const here = places.findIndex((place) => place.contains(inside))
  const headings = [...places.slice(here + 1), ...places.slice(0, Math.max(0, here)).toReversed()].map(
    (place) => place.querySelector<HTMLElement>('h3'),
  )
  const next = headings.find((heading) => heading !== null)
  next?.focus()
  return next !== undefined
}
