import {
  type Design,
  type DesignSheet,
  definitionsOf,
  type Net,
  pinsOf,
  projectOf,
  referenceOf,
  type SchematicChange,
  type SchematicItem,
} from '@patchbay/kicad-format'
import { X } from 'lucide-react'
import { Fragment, type Ref, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import styles from './schematic-editor.module.css'
import type { NewId } from './tools/connect.ts'
import { missingPins } from './tools/place-sheet.ts'
import { words } from './words.ts'

const MOST_PINS = 60
const SHOWN_LAST = new Set(['ki_keywords', 'ki_fp_filters', 'ki_description'])

interface PropertiesProps {
  ref: Ref<HTMLElement>
  design: Design
  sheet: DesignSheet
  nets: readonly Net[]
  item: SchematicItem | undefined
  count: number
  mayEdit: boolean
  change: (changes: readonly SchematicChange[]) => boolean
  newId: NewId
  showSheet: (name: string) => void
  close: () => void
}

/** What the selected thing is, and what it is connected to. */
export function Properties({ ref, close, ...props }: PropertiesProps) {
  const { item, count } = props
  return (
    <aside ref={ref} aria-label={words.properties.title} className={styles.side}>
      <div className={styles.sideHead}>
        <span>{item === undefined ? words.properties.title : words.properties.kinds[item.kind]}</span>
        <ToolButton label={words.properties.close} onPress={close}>
          <X aria-hidden />
        </ToolButton>
      </div>
      {item === undefined ? (
        <p className={styles.hint}>{count > 1 ? words.properties.several(count) : words.properties.none}</p>
      ) : (
        <ItemProperties key={item.id} {...props} item={item} />
      )}
    </aside>
  )
}

type ItemProps = Omit<PropertiesProps, 'ref' | 'close' | 'item' | 'count'> & { item: SchematicItem }

function ItemProperties({ design, sheet, nets, item, mayEdit, change, newId, showSheet }: ItemProps) {
  const net = nets.find(({ items }) => items.some(({ id, path }) => id === item.id && path === sheet.path))
  const set = (name: string) => (value: string) => change([{ type: 'setProperty', id: item.id, name, value }])
  switch (item.kind) {
    case 'symbol': {
      const { reference } = referenceOf(design, sheet, item)
      const annotate = (next: string) =>
        change([
          {
            type: 'annotate',
            references: [{ id: item.id, project: projectOf(design), path: sheet.path, reference: next }],
          },
        ])
      return (
        <>
          <Field
            label={words.properties.reference}
            value={reference}
            isReadOnly={!mayEdit}
            store={annotate}
          />
          {item.properties
            .filter(({ name }) => name !== 'Reference' && !SHOWN_LAST.has(name))
            .map(({ name, value }) => (
              <Field key={name} label={name} value={value} isReadOnly={!mayEdit} store={set(name)} />
            ))}
          <dl className={styles.facts}>
            <dt>{words.properties.library}</dt>
            <dd>{item.libId}</dd>
          </dl>
          <PinNets {...{ sheet, nets, item }} />
        </>
      )
    }
    case 'label':
    case 'global_label':
    case 'hierarchical_label':
    case 'text':
    case 'text_box':
      return (
        <>
          <Field
            label={words.properties.text}
            value={item.text}
            isReadOnly={!mayEdit}
            store={(text) => change([{ type: 'setText', id: item.id, text }])}
          />
          {net !== undefined && <NetName net={net} />}
        </>
      )
    case 'sheet': {
      const child = sheet.children.get(item)
      const missing = child === undefined || !mayEdit ? [] : missingPins(item, child, newId)
      return (
        <>
          {item.properties.map(({ name, value }) => (
            <Field key={name} label={name} value={value} isReadOnly={!mayEdit} store={set(name)} />
          ))}
          {child !== undefined && (
            <Button size="sm" onPress={() => showSheet(child.name)}>
              {words.properties.openSheet}
            </Button>
          )}
          {missing.length > 0 && (
            <Button
              size="sm"
              onPress={() => change(missing.map((pin) => ({ type: 'addSheetPin', sheet: item.id, ...pin })))}
            >
              {words.properties.addPins(missing.length)}
            </Button>
          )}
        </>
      )
    }
    case 'wire':
    case 'bus':
    case 'bus_entry':
    case 'junction':
    case 'no_connect':
      return net === undefined ? (
        <p className={styles.hint}>{words.properties.unconnected}</p>
      ) : (
        <NetName net={net} />
      )
    default:
      item satisfies never
      return null
  }
}

function NetName({ net }: { net: Net }) {
  return (
    <dl className={styles.facts}>
      <dt>{words.properties.net}</dt>
      <dd>{net.name}</dd>
      <dt>{words.properties.pins}</dt>
      <dd>
        {net.pins
          .slice(0, MOST_PINS)
          .map(({ reference, number }) => `${reference}.${number}`)
          .join(', ')}
      </dd>
    </dl>
  )
}

function PinNets({
  sheet,
  nets,
  item,
}: Pick<ItemProps, 'sheet' | 'nets'> & { item: Extract<SchematicItem, { kind: 'symbol' }> }) {
  const definition = definitionsOf(sheet.schematic)(item)
  if (definition === undefined) return null
  const byNumber = new Map(
    nets.flatMap((net) =>
      net.pins.flatMap((pin): [string, Net][] =>
        pin.symbolId === item.id && pin.path === sheet.path ? [[pin.number, net]] : [],
      ),
    ),
  )
  return (
    <dl className={styles.facts}>
      {pinsOf(item, definition)
        .slice(0, MOST_PINS)
        .map(({ pin }, index) => (
          // Several pins may have one number: their place among the others is all that is their own.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={index}>
            <dt>
              {pin.name === '' || pin.name === pin.number
                ? pin.number
                : `${pin.number} ${plainName(pin.name)}`}
            </dt>
            <dd>{byNumber.get(pin.number)?.name ?? '–'}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

/** Without the marks for bars, and for what is raised or lowered. */
function plainName(name: string): string {
  return name.replaceAll(/[~_^]\{([^{}]*)\}/g, '$1')
}

interface FieldProps {
  label: string
  value: string
  isReadOnly: boolean
  /** Answers whether it was taken. */
  store: (value: string) => boolean
}

/** Stored with Enter, or when it is left. */
function Field({ label, value, isReadOnly, store }: FieldProps) {
  const [typed, setTyped] = useState<string>()
  const commit = () => {
    if (typed !== undefined && typed !== value) store(typed.toWellFormed())
    setTyped(undefined)
  }
  return (
    <TextField
      label={label}
      size="sm"
      value={typed ?? value}
      isReadOnly={isReadOnly}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        else if (event.key === 'Escape') setTyped(undefined)
      }}
    />
  )
}
