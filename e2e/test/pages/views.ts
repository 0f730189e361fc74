import { depth } from '@patchbay/testkit/depth'
import { PHONE, WIDE } from './viewports.ts'

const THEMES = ['light', 'dark'] as const

/** How a scene is looked at. In the common run each has one theme and one width, in turns. */
export const viewsOf = depth({
  common: (scene: number) => [
    { viewport: scene % 4 < 2 ? WIDE : PHONE, theme: scene % 2 === 0 ? 'light' : 'dark' } as const,
  ],
  deep: () => [WIDE, PHONE].flatMap((viewport) => THEMES.map((theme) => ({ viewport, theme }))),
})
