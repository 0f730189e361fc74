import { applyChange, checkLayout, type Layout, type LayoutChange, type LayoutRules } from '../src/index.ts'
import { draw, NO_SINGLETONS, show } from './drawing.ts'

/** Applies a change that must succeed, to a layout that must stay valid. */
export function change(layout: Layout, made: LayoutChange, rules: LayoutRules = NO_SINGLETONS): Layout {
  const outcome = applyChange(layout, made, rules)
  if (outcome.refused !== undefined) throw new Error(`refused: ${outcome.refused.code}`)
  const [fault] = checkLayout(outcome.layout)
  if (fault !== undefined) throw new Error(`${fault.path} ${fault.message}`)
  return outcome.layout
}

/** The same on drawings. */
export function redraw(drawing: string, made: LayoutChange): string {
  return show(change(draw(drawing), made))
}

/** The code with which a change is refused. */
export function refusalOf(
  layout: Layout,
  made: LayoutChange,
  rules: LayoutRules = NO_SINGLETONS,
): string | undefined {
  return applyChange(layout, made, rules).refused?.code
}
