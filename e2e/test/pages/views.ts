import { depth } from '@patchbay/testkit/depth'

export const WIDE = { width: 1280, height: 900 }
export const PHONE = { width: 390, height: 844 }

const THEMES = ['light', 'dark'] as const

/** How a scene is looked at. In the common run each has one theme and one width, in turns. */
export const viewsOf = depth({
  common: (scene: number) => [
    { viewport: scene % 4 < 2 ? WIDE : PHONE, theme: scene % 2 === 0 ? 'light' : 'dark' } as const,
  ],
  deep: () => [WIDE, PHONE].flatMap((viewport) => THEMES.map((theme) => ({ viewport, theme }))),
})
