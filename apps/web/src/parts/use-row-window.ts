import { type RefObject, useCallback, useEffect, useState } from 'react'

export interface RowWindow {
  readonly rowHeight: number
  readonly first: number
  /** Not itself in the window. */
  readonly end: number
}

/** Above and below what is seen: a turn of the wheel must not show emptiness before the next rows are there. */
const SPARE_ROWS = 12
const UNMEASURED: RowWindow = { rowHeight: 28, first: 0, end: 0 }

/**
 * Which rows of a long list stand in the page. All rows have one height, that of `ruler`, so that a division tells them: a
 * library for this measures each row, and those that come with React Aria want its own kinds of lists around them.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  ruler: RefObject<HTMLElement | null>,
  count: number,
): RowWindow & { readonly onScroll: () => void } {
  const [shown, setShown] = useState(UNMEASURED)
  const measure = useCallback(() => {
    if (scroller.current === null || ruler.current === null) return
    const { scrollTop, clientHeight } = scroller.current
    const rowHeight = ruler.current.offsetHeight || UNMEASURED.rowHeight
    // In whole steps: most turns of the wheel then change nothing that React would have to compare.
    const first = Math.max(0, Math.floor(scrollTop / rowHeight / SPARE_ROWS) * SPARE_ROWS - SPARE_ROWS)
    const end = Math.ceil((scrollTop + clientHeight) / rowHeight / SPARE_ROWS) * SPARE_ROWS + SPARE_ROWS
    setShown((before) =>
      before.rowHeight === rowHeight && before.first === first && before.end === end
        ? before
        : { rowHeight, first, end },
    )
  }, [scroller, ruler])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    // With the list in it: one that has become shorter has scrolled by itself.
    for (const element of [scroller.current, ...(scroller.current?.children ?? [])])
      if (element !== null) observer.observe(element)
    return () => observer.disconnect()
  }, [measure, scroller])
  return { ...shown, end: Math.min(shown.end, count), onScroll: measure }
}
