import type { Stage } from './stage.ts'

const STEP = Math.PI / 24

/** What each key does to the view. */
const KEYS: Readonly<Record<string, (stage: Stage) => void>> = {
  ArrowLeft: (stage) => stage.turn(-STEP, 0),
  ArrowRight: (stage) => stage.turn(STEP, 0),
  ArrowUp: (stage) => stage.turn(0, -STEP),
  ArrowDown: (stage) => stage.turn(0, STEP),
  '+': (stage) => stage.approach(0.9),
  '=': (stage) => stage.approach(0.9),
  '-': (stage) => stage.approach(1 / 0.9),
  f: (stage) => stage.fit(),
  r: (stage) => stage.reset(),
}

/** Whether the key was one of ours. Shortcuts of the page and the browser are not. */
export function pressKey(
  stage: Stage | null,
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): boolean {
  const act = ctrlKey || metaKey || altKey ? undefined : KEYS[key]
  if (stage === null || act === undefined) return false
  act(stage)
  return true
}
