import { globSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { definitionsOf, netsOf, parse, pinsOf, readDesign, readSchematic } from '../src/index.ts'
import { DEMOS, hasDemos, readText } from './demos.ts'
import { netlistOf, netlistOfFiles, whyNoKicad } from './kicad.ts'
import { drawFile, drawLabel, drawSymbol } from './samples.ts'

const reason = whyNoKicad()
const PATIENCE = 120_000

/** In RoyalBlue54L KiCad does not take `~{RESET}` of a group through the hierarchy, while its root has a label for it. */
const DIFFERENCES: Readonly<Record<string, number>> = { 'RoyalBlue54L-Feather.kicad_sch': 3 }

const projects = hasDemos
  ? globSync(join(DEMOS, '**/*.kicad_pro'))
      .map((path) => path.replace(/pro$/, 'sch'))
      .filter((path) => globSync(path).length === 1)
      .toSorted()
  : []

describe.skipIf(reason !== undefined || !hasDemos)(
  `nets as KiCad has them (${reason ?? 'it is here'})`,
  () => {
    test.each(projects.map((path) => [relative(DEMOS, path), path] as const))(
      '[KF-65] %s',
      (_, path) => {
        const folder = dirname(path)
        const files = globSync(join(folder, '**/*.kicad_sch')).map(
          (file) => [relative(folder, file), parse(readText(file))] as const,
        )
        const design = readDesign(new Map(files), basename(path))
        expect(design.faults).toEqual([])
        const ours = netsOf(design).flatMap(({ name, labels, pins }) => {
          const parts = pins
            .filter(({ reference }) => !reference.startsWith('#'))
            .map(({ reference, number }) => `${reference}.${number}`)
          return parts.length === 0 ? [] : [{ name, isNamed: labels.length > 0, pins: joined(parts) }]
        })
        const theirs = new Map(
          netlistOf(path).map(({ name, pins }) => [joined(pins), name.replaceAll('{slash}', '/')]),
        )
        const differing = [
          ...ours.filter(({ pins }) => !theirs.has(pins)).map(({ pins }) => pins),
          ...[...theirs.keys()].filter((pins) => !ours.some((net) => net.pins === pins)),
        ]
        expect(differing).toHaveLength(DIFFERENCES[basename(path)] ?? 0)
        const renamed = ours.filter(
          ({ name, isNamed, pins }) => isNamed && theirs.has(pins) && theirs.get(pins) !== name,
        )
        expect(renamed).toEqual([])
      },
      PATIENCE,
    )
  },
)

const joined = (pins: readonly string[]) => [...new Set(pins)].toSorted().join(' ')

const placements = [0, 90, 180, 270].flatMap((angle) =>
  ([undefined, 'x', 'y'] as const).map((mirror) => [angle, mirror] as const),
)

test.skipIf(reason !== undefined).each(placements)(
  '[KF-37] at %d degrees, mirrored at %s, KiCad has pins where labels are put',
  (angle, mirror) => {
    const symbol = drawSymbol({
      id: 1,
      lib: 'Test:SKEW',
      x: 101.6,
      y: 101.6,
      angle,
      reference: 'U1',
      ...(mirror !== undefined && { mirror }),
    })
    const schematic = readSchematic(parse(drawFile([symbol])))
    const [placed] = schematic?.items ?? []
    const definition =
      schematic !== undefined && placed?.kind === 'symbol' ? definitionsOf(schematic)(placed) : undefined
    if (placed?.kind !== 'symbol' || definition === undefined) throw new Error('no symbol')
    const labels = pinsOf(placed, definition)
      .filter(({ pin }) => !pin.isHidden)
      .map(({ pin, at }, index) => drawLabel(10 + index, 'label', `PIN${pin.number}`, at.x / 1e6, at.y / 1e6))
    const nets = netlistOfFiles({ 'test.kicad_sch': drawFile([symbol, ...labels]) })
    expect(nets.filter(({ name }) => name.startsWith('/')).map(({ name, pins }) => [name, ...pins])).toEqual([
      ['/PIN1', 'U1.1'],
      ['/PIN2', 'U1.2'],
      ['/PIN3', 'U1.3'],
    ])
  },
  PATIENCE,
)
