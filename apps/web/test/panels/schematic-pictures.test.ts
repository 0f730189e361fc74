import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type * as compareEntry from './schematic/compare-sheet.ts'
import { listProjects, picture, whyNoPictures } from './schematic/kicad-pictures.ts'

declare const comparing: typeof compareEntry

/** Of all dark pixels; what is left are places where a line of one pixel falls otherwise. */
const MOST = 0.006
/** Where the pictures of differences go, for whoever looks for the cause. */
const KEPT = process.env['PATCHBAY_KEEP_PICTURES']

async function compare(projects: readonly string[]) {
  const { code } = await bundleForBrowser(new URL('schematic/compare-sheet.ts', import.meta.url), {
    globalName: 'comparing',
  })
  await using opened = await openPage(await sharedChromium())
  await opened.page.setContent('<!doctype html><title>Sheets</title>')
  await opened.page.addScriptTag({ content: code })
  const all: (compareEntry.Compared & { readonly project: string })[] = []
  for (const path of projects) {
    const { files, root, project, pictures } = picture(path)
    const found = await opened.page.evaluate(
      (given) => comparing.compareSheets(given.files, given.root, given.project, given.pictures, given.keeps),
      { files, root, project, pictures, keeps: KEPT !== undefined },
    )
    for (const one of found) {
      all.push({ project: root, ...one })
      if (KEPT !== undefined && one.picture !== undefined) {
        const name = `${(Math.max(one.missing, one.extra) * 100).toFixed(2)}-${root}${one.sheet.replaceAll('/', '-')}.png`
        writeFileSync(join(KEPT, name), Buffer.from(one.picture.split(',')[1] ?? '', 'base64'))
      }
    }
  }
  return all
}

const tooDifferent = (all: Awaited<ReturnType<typeof compare>>) =>
  all
    .filter(({ missing, extra }) => missing > MOST || extra > MOST)
    .map(({ project, sheet, missing, extra }) => ({ project, sheet, missing, extra }))

test.skipIf(whyNoPictures() !== undefined)(
  '[W-852] two sheets look as KiCad draws them',
  async () => {
    const all = await compare(listProjects('pic_programmer'))
    expect(all).toHaveLength(2)
    expect(tooDifferent(all)).toEqual([])
  },
  180_000,
)

deepTest.skipIf(whyNoPictures() !== undefined)(
  '[W-852] every sheet of KiCad’s demonstration projects looks as KiCad draws it',
  async () => {
    const all = await compare(listProjects())
    expect(all.length).toBeGreaterThan(100)
    expect(tooDifferent(all)).toEqual([])
  },
  1_800_000,
)
