import type { Locator, Page } from '@patchbay/testkit/chromium'

/** How much of the stage has each color, from 0 to 1. `edge` is what is strongly colored along its border. */
export interface Shares {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly edge: number
}

/** What a person sees on the stage: the page's picture, and not what some buffer holds. */
export async function colorShares(
  page: Page,
  view: Locator = page.getByRole('application'),
): Promise<Shares> {
  const stage = await view.boundingBox()
  if (stage === null) throw new Error('no stage')
  const picture = await page.screenshot({ clip: stage, animations: 'disabled' })
  return await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const { width, height } = image
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] }
      const counts = [0, 0, 0]
      let edge = 0
      for (let place = 0; place < width * height; place += 1) {
        // Without arrays: half a million places are looked at, many times in a test.
        const r = data[place * 4] ?? 0
        const g = data[place * 4 + 1] ?? 0
        const b = data[place * 4 + 2] ?? 0
        const strongest = r >= g && r >= b ? 0 : g >= b ? 1 : 2
        const most = Math.max(r, g, b)
        const second = strongest === 0 ? Math.max(g, b) : strongest === 1 ? Math.max(r, b) : Math.max(r, g)
        if (second + 60 >= most) continue
        counts[strongest] = (counts[strongest] ?? 0) + 1
        const x = place % width
        const y = Math.floor(place / width)
        if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) edge += 1
      }
      const [red = 0, green = 0, blue = 0] = counts.map((count) => count / (width * height))
      return { red, green, blue, edge: edge / (width * height) }
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  )
}
