import type { CSSProperties } from 'react'

/** Gives an element and what is in it the color of a person, as `--person`. */
export function personStyle(color: number): CSSProperties {
  return { '--person': `var(--person-${color})` } as CSSProperties
}
