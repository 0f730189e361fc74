import type { DesignSheet } from '@patchbay/kicad-format'
import { strokesShape } from './effects.ts'
import { layOutText, putAt } from './lay-out-text.ts'
import { type Drawn, drawn, type Place, type Shape } from './shapes.ts'

/** In millimeters, wide. */
const PAPERS: Readonly<Record<string, readonly [number, number]>> = {
  A5: [210, 148],
  A4: [297, 210],
  A3: [420, 297],
  A2: [594, 420],
  A1: [841, 594],
  A0: [1189, 841],
  A: [279.4, 215.9],
  B: [431.8, 279.4],
  C: [558.8, 431.8],
  D: [863.6, 558.8],
  E: [1117.6, 863.6],
  USLetter: [279.4, 215.9],
  USLegal: [355.6, 215.9],
  USLedger: [431.8, 279.4],
  GERBER: [812.8, 812.8],
}
const LARGEST = 3_000
const MARGIN = 10
const BORDER = 2
const FIELD = 50
const WIDTH = 0.15

export function paperSize({ schematic }: Pick<DesignSheet, 'schematic'>): Place {
  const { paper, paperSize: own, isPortrait } = schematic
  const [width, height] =
    own === undefined ? (PAPERS[paper] ?? [297, 210]) : [own.x / 1_000_000, own.y / 1_000_000]
  const within = (one: number) => Math.min(Math.max(one, 10), LARGEST)
  return isPortrait ? { x: within(height), y: within(width) } : { x: within(width), y: within(height) }
}

/** The border of the paper and the title block, much as KiCad's own drawing sheet. */
export function drawFrame(sheet: DesignSheet, { page, pages }: { page: number; pages: number }): Drawn {
  const { x: width, y: height } = paperSize(sheet)
  const [right, bottom] = [width - MARGIN, height - MARGIN]
  const shapes: Shape[] = []
  const line = (...points: readonly Place[]) =>
    shapes.push({ kind: 'line', points, stroke: 'frame', width: WIDTH })
  const box = (left: number, top: number, toRight: number, toBottom: number) =>
    line(
      { x: left, y: top },
      { x: toRight, y: top },
      { x: toRight, y: toBottom },
      { x: left, y: toBottom },
      { x: left, y: top },
    )
  const write = (text: string, at: Place, size = 1.5, isStrong = false, isMiddle = false) => {
    const style = {
      width: size,
      height: size,
      pen: isStrong ? size / 5 : WIDTH,
      isItalic: size > 1.5,
      horizontal: isMiddle ? 'center' : 'left',
      vertical: 'center',
    } as const
    if (text !== '')
      shapes.push(strokesShape(text, putAt(layOutText(text, style), at, 0), style.pen, 'frame'))
  }
  box(MARGIN, MARGIN, right, bottom)
  box(MARGIN + BORDER, MARGIN + BORDER, right - BORDER, bottom - BORDER)
  for (let x = MARGIN, number = 1; x < right; x += FIELD, number += 1) {
    const middle = x + FIELD / 2
    for (const [edge, inner] of [
      [MARGIN, MARGIN + BORDER],
      [bottom, bottom - BORDER],
    ] as const) {
      if (x > MARGIN) line({ x, y: edge }, { x, y: inner })
      if (middle < right) write(String(number), { x: middle, y: (edge + inner) / 2 }, 1.3, false, true)
    }
  }
  for (let y = MARGIN, number = 0; y < bottom; y += FIELD, number += 1) {
    const middle = y + FIELD / 2
    for (const [edge, inner] of [
      [MARGIN, MARGIN + BORDER],
      [right, right - BORDER],
    ] as const) {
      if (y > MARGIN) line({ x: edge, y }, { x: inner, y })
      if (middle < bottom)
        write(String.fromCharCode(65 + (number % 26)), { x: (edge + inner) / 2, y: middle }, 1.3, false, true)
    }
  }
  const at = (x: number, y: number): Place => ({ x: right - x, y: bottom - y })
  box(right - 110, bottom - 34, right - BORDER, bottom - BORDER)
  for (const y of [5.5, 8.5, 12.5, 18.5]) line(at(110, y), at(2, y))
  line(at(90, 8.5), at(90, 5.5))
  line(at(26, 8.5), at(26, 2))
  const { titleBlock, paper } = sheet.schematic
  write(`Sheet: ${sheet.name}`, at(109, 17))
  write(`File: ${sheet.file.split('/').at(-1) ?? ''}`, at(109, 14.3))
  write(`Title: ${titleBlock.title}`, at(109, 10.7), 2, true)
  write(`Size: ${paper}`, at(109, 6.9))
  write(`Date: ${titleBlock.date}`, at(87, 6.9))
  write(`Rev: ${titleBlock.revision}`, at(24, 6.9), 1.5, true)
  write(`Id: ${page}/${pages}`, at(24, 4.1))
  write(titleBlock.company, at(109, 20), 1.5, true)
  for (const [index, y] of [23, 26, 29, 32].entries())
    write(titleBlock.comments[String(index + 1)] ?? '', at(109, y))
  return drawn('', shapes)
}
