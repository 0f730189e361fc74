import type { DesignSheet } from '@patchbay/kicad-format'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { shownViolations } from '../../board-jobs/violation-list.tsx'
import type { Mark } from '../canvas/marks.ts'
import type { CanvasHandle } from '../canvas/sheet-canvas.tsx'
import { itemOf } from './find-item.ts'
import type { Check } from './use-check.ts'

interface Given {
  readonly check: Check
  readonly sheet: DesignSheet
  readonly showSheet: (name: string) => void
  readonly select: (ids: readonly string[]) => void
  readonly canvas: RefObject<CanvasHandle | null>
}

/** What a check has found, on the sheet that is shown, and which of it is looked at. */
export function useViolations({ check: { report, isStale }, sheet, showSheet, select, canvas }: Given) {
  const violations = useMemo(() => (report === undefined ? [] : shownViolations(report)), [report])
  const [chosen, setChosen] = useState<{ readonly of: unknown; readonly at: number }>()
  const selected = chosen !== undefined && chosen.of === report ? chosen.at : undefined
  const looked = useRef<unknown>(undefined)
  useEffect(() => {
    const found = selected === undefined ? undefined : violations[selected]
    const [first] = found?.items ?? []
    // Its sheet may come a little later. What was looked at once is not looked at again.
    if (found === undefined || first === undefined || found.sheet !== sheet.name || looked.current === chosen)
      return
    looked.current = chosen
    select(found.items.flatMap((item) => itemOf(sheet, item)?.id ?? []))
    canvas.current?.lookAt(first)
  }, [chosen, selected, violations, sheet, select, canvas])
  const taken = new Map<string, number>()
  const marks = violations.flatMap(({ sheet: name, severity, items }, key): Mark[] => {
    const [first] = items
    if (name !== sheet.name || first === undefined) return []
    const place = `${first.x} ${first.y}`
    const position = taken.get(place) ?? 0
    taken.set(place, position + 1)
    return [{ key, at: first, severity, position, isSelected: key === selected, isStale }]
  })
  // Errors come first and are painted last: no warning covers one. The chosen one is above all.
  marks.reverse()
  marks.sort((one, other) => Number(one.isSelected) - Number(other.isSelected))
  return {
    marks,
    /** A place in the violations that are shown. */
    selected,
    show(at: number | undefined) {
      setChosen(at === undefined ? undefined : { of: report, at })
      const name = at === undefined ? undefined : violations[at]?.sheet
      if (name !== undefined && name !== null && name !== sheet.name) showSheet(name)
    },
  }
}
