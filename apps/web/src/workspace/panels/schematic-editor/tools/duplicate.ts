import {
  type Design,
  type DesignSheet,
  definitionsOf,
  type Point,
  referenceOf,
  type SchematicChange,
  type SchematicItem,
} from '@patchbay/kicad-format'
import type { NewId } from './connect.ts'
import { newReferences } from './place-symbol.ts'

const OWN = new Set(['Reference', 'Value', 'Footprint'])

const plus = (one: Point, by: Point): Point => ({ x: one.x + by.x, y: one.y + by.y })

/** The same things once more, elsewhere. Sheets are not copied: their file would be shown twice. */
export function duplicate(
  items: readonly SchematicItem[],
  by: Point,
  { design, sheet }: { readonly design: Design; readonly sheet: DesignSheet },
  newId: NewId,
): SchematicChange[] {
  const definitions = definitionsOf(sheet.schematic)
  const taken = new Map<string, number>()
  return items.flatMap((item): SchematicChange[] => {
    switch (item.kind) {
      case 'wire':
      case 'bus':
        return [
          { type: 'addLine', kind: item.kind, id: newId(), from: plus(item.from, by), to: plus(item.to, by) },
        ]
      case 'bus_entry':
        return [{ type: 'addBusEntry', id: newId(), at: plus(item.at, by), size: item.size }]
      case 'junction':
      case 'no_connect':
        return [{ type: 'addMark', kind: item.kind, id: newId(), at: plus(item.at, by) }]
      case 'label':
      case 'global_label':
      case 'hierarchical_label':
        return [
          {
            type: 'addLabel',
            kind: item.kind,
            id: newId(),
            text: item.text,
            at: plus(item.at, by),
            angle: item.angle,
            ...(item.kind !== 'label' && item.shape !== '' && { shape: item.shape }),
          },
        ]
      case 'text':
        return [{ type: 'addText', id: newId(), text: item.text, at: plus(item.at, by), angle: item.angle }]
      case 'symbol': {
        const definition = definitions(item)
        if (definition === undefined) return []
        const prefix = referenceOf(design, sheet, item).reference.replace(/[\d?]+$/, '') || 'U'
        const skip = taken.get(prefix) ?? 0
        taken.set(prefix, skip + 1)
        const id = newId()
        const value = (name: string) =>
          item.properties.find((property) => property.name === name)?.value ?? ''
        return [
          {
            type: 'addSymbol',
            id,
            libId: definition.id,
            at: plus(item.at, by),
            angle: item.angle,
            ...(item.mirror !== undefined && { mirror: item.mirror }),
            unit: item.unit,
            value: value('Value'),
            footprint: value('Footprint'),
            pinIds: Object.fromEntries(item.pins.map(({ number }) => [number, newId()])),
            instances: numbered(newReferences(design, sheet, prefix), skip),
          },
          ...item.properties
            .filter((property) => !OWN.has(property.name) && property.value !== '')
            .map(
              (property): SchematicChange => ({
                type: 'setProperty',
                id,
                name: property.name,
                value: property.value,
              }),
            ),
        ]
      }
      case 'text_box':
      case 'sheet':
        return []
      default:
        item satisfies never
        return []
    }
  })
}

/** Of several that are copied at once each has a number of its own. */
function numbered<One extends { readonly reference: string }>(
  references: readonly One[],
  skip: number,
): One[] {
  return references.map((one) => ({
    ...one,
    reference: one.reference.replace(/\d+$/, (digits) =>
      String(Number(digits) + skip * references.length).padStart(digits.length, '0'),
    ),
  }))
}
