import { parse, readDesign } from '@patchbay/kicad-format'
import { paint } from '../../../src/workspace/panels/schematic-editor/canvas/paint.ts'
import { LIGHT, type SheetTheme } from '../../../src/workspace/panels/schematic-editor/canvas/theme.ts'
import { drawSheet } from '../../../src/workspace/panels/schematic-editor/drawing/draw-sheet.ts'
import { paperSize } from '../../../src/workspace/panels/schematic-editor/drawing/frame.ts'
import { readSettings } from '../../../src/workspace/panels/schematic-editor/drawing/settings.ts'
import type { Drawn } from '../../../src/workspace/panels/schematic-editor/drawing/shapes.ts'

export interface Compared {
  readonly sheet: string
  /** The part of KiCad's dark pixels that have none of ours near them, and the other way around. */
  readonly missing: number
  readonly extra: number
  readonly dark: number
  readonly picture?: string
}

const WIDTH = 1_600
/** How far two lines may be apart, in pixels. */
const NEAR = 2
const DARK = 150
/** A line of half a pixel is gray where it falls between two. */
const GRAY = 245
/** Fills of bodies are not lines. */
const BLACK: SheetTheme = {
  ...LIGHT,
  inks: Object.fromEntries(
    Object.keys(LIGHT.inks).map((ink) => [ink, ink.endsWith('Fill') ? '#ffffff00' : '#000']),
  ) as SheetTheme['inks'],
}

function canvasOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  return context
}

function darkOf(context: CanvasRenderingContext2D, limit: number): Uint8Array {
  const { width, height } = context.canvas
  const { data } = context.getImageData(0, 0, width, height)
  const dark = new Uint8Array(width * height)
  for (let at = 0; at < dark.length; at += 1)
    dark[at] = (data[at * 4] ?? 0) + (data[at * 4 + 1] ?? 0) + (data[at * 4 + 2] ?? 0) < 3 * limit ? 1 : 0
  return dark
}

function grown(dark: Uint8Array, width: number, height: number): Uint8Array {
  const wide = new Uint8Array(dark.length)
  const all = new Uint8Array(dark.length)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (dark[y * width + x] === 1)
        wide.fill(1, y * width + Math.max(0, x - NEAR), y * width + Math.min(width, x + NEAR + 1))
  for (let y = 0; y < height; y += 1)
    for (let by = Math.max(0, y - NEAR); by <= Math.min(height - 1, y + NEAR); by += 1)
      for (let x = 0; x < width; x += 1) if (wide[by * width + x] === 1) all[y * width + x] = 1
  return all
}

function alone(dark: Uint8Array, near: Uint8Array): number {
  let count = 0
  let lonely = 0
  for (let at = 0; at < dark.length; at += 1)
    if (dark[at] === 1) {
      count += 1
      if (near[at] === 0) lonely += 1
    }
  return count === 0 ? 0 : lonely / count
}

async function loadPictures(drawn: readonly Drawn[]): Promise<Map<string, HTMLImageElement>> {
  const found = new Map<string, HTMLImageElement>()
  for (const { shapes } of drawn)
    for (const shape of shapes)
      if (shape.kind === 'picture') {
        const image = new Image()
        image.src = shape.data
        await image.decode()
        found.set(shape.data, image)
      }
  return found
}

/** Draws every sheet of a design as the panel does, and compares it with the picture that KiCad made of it. */
export async function compareSheets(
  files: Readonly<Record<string, string>>,
  root: string,
  project: string,
  kicadPictures: Readonly<Record<string, string>>,
  withPictures: boolean,
): Promise<Compared[]> {
  const documents = new Map(Object.entries(files).map(([name, text]) => [name, parse(text)]))
  const design = readDesign(documents, root)
  const settings = readSettings(project)
  const compared: Compared[] = []
  for (const sheet of design.sheets) {
    const svg = kicadPictures[sheet.name]
    if (svg === undefined) continue
    const paper = paperSize(sheet)
    const scale = WIDTH / paper.x
    const height = Math.round(paper.y * scale)
    const ours = canvasOf(WIDTH, height)
    const drawn = drawSheet({ design, sheet, settings })
    const pictures = await loadPictures(drawn)
    paint(
      ours,
      drawn,
      {
        theme: BLACK,
        view: { scale, x: 0, y: 0 },
        width: WIDTH,
        height,
        thinnest: 0,
      },
      (data) => pictures.get(data),
    )
    const theirs = canvasOf(WIDTH, height)
    const image = new Image()
    image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    await image.decode()
    theirs.drawImage(image, 0, 0, WIDTH, height)
    const [mine, kicad] = [darkOf(ours, DARK), darkOf(theirs, DARK)]
    const nearMine = grown(darkOf(ours, GRAY), WIDTH, height)
    const nearKicad = grown(darkOf(theirs, GRAY), WIDTH, height)
    compared.push({
      sheet: sheet.name,
      missing: alone(kicad, nearMine),
      extra: alone(mine, nearKicad),
      dark: kicad.reduce((sum, one) => sum + one, 0),
      ...(withPictures && { picture: differenceOf({ mine, kicad, nearMine, nearKicad }, WIDTH, height) }),
    })
  }
  return compared
}

/** Both in gray, only KiCad's in red, only ours in blue. */
function differenceOf(
  {
    mine,
    kicad,
    nearMine,
    nearKicad,
  }: Readonly<Record<'mine' | 'kicad' | 'nearMine' | 'nearKicad', Uint8Array>>,
  width: number,
  height: number,
): string {
  const context = canvasOf(width, height)
  const picture = context.getImageData(0, 0, width, height)
  for (let at = 0; at < mine.length; at += 1) {
    const [isMine, isKicad] = [mine[at] === 1, kicad[at] === 1]
    if (!isMine && !isKicad) continue
    const isLost = isKicad && nearMine[at] === 0
    const isExtra = isMine && nearKicad[at] === 0
    picture.data.set(isLost ? [255, 0, 0, 255] : isExtra ? [0, 0, 255, 255] : [170, 170, 170, 255], at * 4)
  }
  context.putImageData(picture, 0, 0)
  return context.canvas.toDataURL('image/png')
}
