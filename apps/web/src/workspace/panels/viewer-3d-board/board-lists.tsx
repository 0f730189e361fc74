import { Eye, EyeOff, X } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { type TabEntry, Tabs } from '../../../components/tabs.tsx'
import styles from './board.module.css'
import { BODY_LAYER, COMPONENTS_LAYER, firstLayers, layerColor, listedLayers } from './board-layers.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import { PartDetails, shortText } from './part-details.tsx'
import { SearchList } from './search-list.tsx'
import type { BoardView } from './use-board-view.ts'
import { words } from './words.ts'

export type ListName = 'parts' | 'nets' | 'layers' | 'checks' | 'changes'

interface BoardListsProps {
  scene: BoardScene
  view: BoardView
  /** Whether there are models of components to show. */
  hasComponents: boolean
  /** Places in the board's footprints and nets. */
  selected: number | undefined
  net: number | undefined
  select: (footprint: number | undefined) => void
  showNet: (net: number | undefined) => void
  shown: ListName
  show: (name: ListName) => void
  more?: readonly TabEntry[]
}

/** What a board is made of, to find, highlight and hide. */
export function BoardLists(props: BoardListsProps) {
  const { scene, view, hasComponents, selected, net, select, showNet, shown, show, more = [] } = props
  const byName = (name: string) => scene.nets.findIndex((one) => one.name === name)
  return (
    <section aria-label={words.lists.label} className={styles.lists}>
      <div className={styles.inside}>
        <Tabs
          label={words.lists.label}
          selectedKey={shown}
          onSelectionChange={(key) => show(key as ListName)}
          tabs={[
            {
              id: 'parts',
              label: words.lists.parts,
              content: (
                <>
                  <Parts scene={scene} selected={selected} select={select} />
                  {selected !== undefined && (
                    <PartDetails
                      scene={scene}
                      at={selected}
                      showNet={(name) => showNet(byName(name))}
                      clear={() => select(undefined)}
                    />
                  )}
                </>
              ),
            },
            {
              id: 'nets',
              label: words.lists.nets,
              content: <Nets scene={scene} view={view} net={net} showNet={showNet} />,
            },
            {
              id: 'layers',
              label: words.lists.layers,
              content: <Layers scene={scene} view={view} hasComponents={hasComponents} />,
            },
            ...more,
          ]}
        />
      </div>
    </section>
  )
}

/** `R2` before `R10`. */
const order = new Intl.Collator('en', { numeric: true })

function Parts({ scene, selected, select }: Pick<BoardListsProps, 'scene' | 'selected' | 'select'>) {
  const items = useMemo(
    () =>
      scene.footprints
        .map(({ reference, value, name }, at) => ({
          id: String(at),
          name: shortText(reference, 60) || words.lists.noReference,
          note: shortText(value, 60),
          more: name,
        }))
        .toSorted((one, other) => order.compare(one.name, other.name)),
    [scene],
  )
  return (
    <SearchList
      label={words.lists.parts}
      placeholder={words.lists.searchParts}
      items={items}
      selected={selected === undefined ? undefined : String(selected)}
      select={(id) => select(id === undefined ? undefined : Number(id))}
    />
  )
}

const MOST_PADS = 12

function Nets({ scene, view, net, showNet }: Pick<BoardListsProps, 'scene' | 'view' | 'net' | 'showNet'>) {
  const { hiddenNets } = view
  const items = useMemo(
    () =>
      scene.nets
        .map(({ name, pads }, at) => ({
          id: String(at),
          name: shortText(name),
          note: hiddenNets.includes(name) ? words.lists.hiddenNet : words.lists.pads(pads.length),
        }))
        .slice(1)
        .toSorted((one, other) => order.compare(one.name, other.name)),
    [scene, hiddenNets],
  )
  const shown = net === undefined ? undefined : scene.nets[net]
  const isHidden = shown !== undefined && hiddenNets.includes(shown.name)
  return (
    <>
      <SearchList
        label={words.lists.nets}
        placeholder={words.lists.searchNets}
        items={items}
        selected={net === undefined ? undefined : String(net)}
        select={(id) => showNet(id === undefined ? undefined : Number(id))}
      />
      {shown !== undefined && (
        <section aria-label={words.net.label} className={styles.details}>
          <header className={styles.detailsHead}>
            <h2 className={styles.reference}>{shortText(shown.name)}</h2>
            <IconButton label={words.net.clear} size="sm" onPress={() => showNet(undefined)}>
              <X aria-hidden />
            </IconButton>
          </header>
          {shown.pads.length > 0 && (
            <p className={styles.note}>{words.net.pads(padsInWords(scene, shown.pads))}</p>
          )}
          {view.isFull && !isHidden && <p className={styles.note}>{words.net.full}</p>}
          <div>
            <Button
              size="sm"
              icon={isHidden ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
              isDisabled={view.isFull && !isHidden}
              onPress={() => view.toggleNet(shown.name)}
            >
              {isHidden ? words.net.show : words.net.hide}
            </Button>
          </div>
        </section>
      )}
    </>
  )
}

function padsInWords(scene: BoardScene, pads: BoardScene['nets'][number]['pads']): string {
  const names = pads.slice(0, MOST_PADS).map(([at, number]) => {
    const footprint = scene.footprints[at]
    return `${shortText(footprint?.reference ?? '', 20)}.${shortText(footprint?.pads[number]?.number ?? '', 10)}`
  })
  return pads.length > MOST_PADS
    ? `${names.join(', ')} ${words.net.more(pads.length - MOST_PADS)}`
    : names.join(', ')
}

function Layers({ scene, view, hasComponents }: Pick<BoardListsProps, 'scene' | 'view' | 'hasComponents'>) {
  const drawn = new Set(scene.meshes.map(({ name }) => name))
  const listed = listedLayers(scene.layers, drawn)
  const rows = [
    ...(hasComponents ? [{ name: COMPONENTS_LAYER, label: words.layers.components, color: undefined }] : []),
    { name: BODY_LAYER, label: words.layers.body, color: undefined },
    ...listed.map(({ name, label }) => ({
      name,
      label: label === name ? name : `${name} (${shortText(label, 40)})`,
      color: `#${layerColor(name, scene.finish).getHexString()}`,
    })),
  ]
  const copper = listed.filter(({ isCopper }) => isCopper).map(({ name }) => name)
  const own = new Set(view.layers)
  return (
    <div className={styles.layers}>
      <div className={styles.layerActions}>
        <Button size="sm" onPress={view.resetLayers}>
          {words.layers.reset}
        </Button>
        <Button size="sm" onPress={() => view.showLayers([...new Set([...firstLayers(), ...copper])])}>
          {words.layers.all}
        </Button>
      </div>
      <ul className={styles.layerList}>
        {rows.map(({ name, label, color }) => (
          <li key={name} className={styles.layer}>
            <Checkbox isSelected={own.has(name)} onChange={(isShown) => view.toggleLayer(name, isShown)}>
              {label}
            </Checkbox>
            {color !== undefined && (
              <svg aria-hidden viewBox="0 0 10 10" className={styles.swatch}>
                <rect width="10" height="10" rx="2" fill={color} />
              </svg>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
