/** Sizes and tones that every component understands the same way. */
export type Size = 'sm' | 'md' | 'lg'
export type Tone = 'neutral' | 'accent' | 'info' | 'ok' | 'warning' | 'danger'
