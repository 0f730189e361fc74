import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import type { Locator } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import sharp from 'sharp'
import { expect } from 'vitest'
import { allSaved, ownPictures, pathOf, useViewers, type Visit } from './bench.ts'
import { choose, dragOver, type NamedFile, paste } from './hands.ts'
import { bmp, bomb, jpeg, png, webp } from './pictures.ts'

const bench = useViewers()
const BOMB = bomb()
/** Several large pictures in one test. */
const PATIENCE = { timeout: 90_000 }

interface Saved {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly bytes: () => Promise<Buffer>
}

const SAVED: readonly Saved[] = [
  { name: 'shot.png', before: '1200 × 800', after: '1200 × 800', bytes: () => png(1200, 800) },
  { name: 'photo.jpg', before: '1200 × 800', after: '1200 × 800', bytes: () => jpeg(1200, 800) },
  { name: 'a JPEG in disguise.png', before: '640 × 480', after: '640 × 480', bytes: () => jpeg(640, 480) },
  { name: 'page.webp', before: '2000 × 1000', after: '1568 × 784', bytes: () => webp(2000, 1000) },
  { name: 'clip.bmp', before: '333 × 222', after: '333 × 222', bytes: () => bmp(333, 222) },
  { name: '4k.png', before: '3840 × 2160', after: '1568 × 882', bytes: () => png(3840, 2160) },
  { name: 'thread.png', before: '1 × 5000', after: '1 × 1568', bytes: () => png(1, 5000) },
  { name: 'kept.png', before: '900 × 600', after: '900 × 600', bytes: () => png(900, 600) },
]

/** What the page says of a picture, and what lies on the disk for it: both files, with their sizes. */
async function savedAs({ viewer }: Visit, picture: Locator) {
  const path = await pathOf(picture)
  const [before, after] =
    (await picture.getByText('→').locator('..').innerText()).match(/\d+ × \d+(?=, [\d.]+ \w)/g) ?? []
  const base = path.replace(/^screenshots\/sp\//, '').replace(/\.png$/, '')
  const files = (await viewer.files()).filter((file) => file.startsWith(base))
  const sizes = await Promise.all(files.map((file) => measured(join(viewer.folder, file))))
  return { before, after, base, files: Object.fromEntries(files.map((file, index) => [file, sizes[index]])) }
}

/** Two PNG files with one base name, which ends with the size of the smaller one. */
function figuresOf({ before, after }: Saved) {
  const base = expect.stringMatching(new RegExp(`^sp-[\\d-]+-${after.replace(' × ', 'x')}$`)) as string
  return { before, after, base }
}

async function measured(path: string) {
  const { format, width, height } = await sharp(await readFile(path)).metadata()
  return `${format} ${width} × ${height}`
}

async function expectSaved(visit: Visit, picture: Locator, kind: Saved): Promise<void> {
  const { base, files, ...sizes } = await savedAs(visit, picture)
  expect({ base, ...sizes }).toEqual(figuresOf(kind))
  expect(files).toEqual({
    [`${base}.png`]: `png ${kind.after}`,
    [`${base}-original.png`]: `png ${kind.before}`,
  })
}

const filesOf = (kinds: readonly Saved[]): Promise<NamedFile[]> =>
  Promise.all(kinds.map(async ({ name, bytes }) => ({ name, bytes: await bytes() })))

test('[W-395] of each kind and size two files lie in the project, chosen all at once', PATIENCE, async () => {
  await using visit = await bench.visit()
  await choose(visit.page, await filesOf(SAVED))
  await allSaved(visit.page, SAVED.length)
  // The latest stands first.
  for (const [place, kind] of SAVED.toReversed().entries())
    await expectSaved(visit, ownPictures(visit.page).nth(place), kind)
  expect(await visit.viewer.files()).toHaveLength(SAVED.length * 2)
})

const DROPPED = new Set(['a JPEG in disguise.png', 'page.webp', 'clip.bmp'])

deepTest('[W-395] so it is for what is dropped', PATIENCE, async () => {
  const kinds = SAVED.filter(({ name }) => DROPPED.has(name))
  await using visit = await bench.visit()
  await using dragged = await dragOver(visit.page, await filesOf(kinds))
  await dragged.drop()
  await allSaved(visit.page, kinds.length)
  for (const [place, kind] of kinds.toReversed().entries())
    await expectSaved(visit, ownPictures(visit.page).nth(place), kind)
  expect(await visit.viewer.files()).toHaveLength(kinds.length * 2)
})

deepTest.each(SAVED)('[W-395] $name, chosen alone: $before becomes $after', async (kind) => {
  await using visit = await bench.visit()
  await choose(visit.page, await filesOf([kind]))
  await expectSaved(visit, ownPictures(visit.page).first(), kind)
})

// The clipboard holds PNG, whatever it was copied from.
deepTest.each(SAVED.filter(({ name }) => name.endsWith('.png') && !DROPPED.has(name)))(
  '[W-395] $name, pasted with the keys: $before becomes $after',
  async (kind) => {
    await using visit = await bench.visit()
    await paste(visit.page, await kind.bytes())
    await expectSaved(visit, ownPictures(visit.page).first(), kind)
  },
)

const REFUSED: readonly (NamedFile & { readonly title: RegExp; readonly isSent: boolean })[] = [
  {
    name: 'broken.png',
    bytes: (await png(900, 600)).subarray(0, 900),
    title: /The image was rejected/,
    isSent: true,
  },
  { name: 'bomb.png', bytes: BOMB, title: /The image was rejected/, isSent: true },
  {
    name: 'notes.txt',
    bytes: Buffer.from('No picture at all.'),
    title: /The image was rejected/,
    isSent: true,
  },
  { name: 'nothing.png', bytes: Buffer.alloc(0), title: /The file is empty/, isSent: false },
  {
    name: 'huge.png',
    bytes: Buffer.alloc(PASTE_LIMITS.uploadBytes + 1),
    title: /The file is too large/,
    isSent: false,
  },
]

deepTest(
  '[W-396] what is no picture, or none that can be taken, is refused at its place, and nothing is saved',
  PATIENCE,
  async () => {
    await using visit = await bench.visit({ expectedFaults: [/422/] })
    const { page, viewer } = visit
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (request.method() === 'POST' && pathname === '/api/pastes')
        sent.push(searchParams.get('file_name') ?? '')
    })
    await using dragged = await dragOver(page, REFUSED)
    await dragged.drop()
    for (const file of REFUSED) {
      const picture = ownPictures(page).filter({ hasText: file.name })
      await picture.getByText(file.title).waitFor({ timeout: 45_000 })
      const reason = await picture.locator('[data-tone=danger]').innerText()
      expect(reason.split('\n').at(-1)?.length).toBeGreaterThan(15)
      expect(await picture.getByRole('button', { name: /^Send again/ }).count()).toBe(0)
      await picture.getByRole('button', { name: /^Dismiss/ }).click()
      await picture.waitFor({ state: 'detached' })
    }
    expect(sent.toSorted()).toEqual(REFUSED.flatMap(({ name, isSent }) => (isSent ? [name] : [])).toSorted())
    expect(await viewer.files()).toEqual([])
  },
)

deepTest('[W-396] a refused one does not hold the others up', async () => {
  await using visit = await bench.visit({ expectedFaults: [/422/] })
  const { page, viewer } = visit
  await choose(page, [
    { name: 'bad.png', bytes: Buffer.from('bad') },
    { name: 'good.png', bytes: await png(40, 30) },
  ])
  await ownPictures(page).getByText('The image was rejected').waitFor()
  const path = await pathOf(ownPictures(page).filter({ hasText: 'Copy path' }))
  const { size } = await stat(join(viewer.folder, path.replace('screenshots/sp/', '')))
  expect(size).toBeGreaterThan(0)
  expect(await viewer.files()).toHaveLength(2)
})

deepTest('[W-400] what has more pixels than the viewer takes is not drawn', async () => {
  await using visit = await bench.visit({ expectedFaults: [/422/] })
  const { page } = visit
  await choose(page, [
    { name: 'bomb.png', bytes: BOMB },
    { name: 'text.png', bytes: Buffer.from('text') },
  ])
  await ownPictures(page).getByText('The image was rejected').nth(1).waitFor()
  expect(await ownPictures(page).locator('img').count()).toBe(0)
  expect(await ownPictures(page).count()).toBe(2)
})
