import { Focus, ZoomIn, ZoomOut } from 'lucide-react'
import { type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../../components/classes.ts'
import { Instrument } from './instrument.tsx'
import { drawMap, fitMap, type MapThing, type MapView, moveMap, zoomMap } from './map-drawing.ts'
import styles from './plan-map.module.css'
import { formatNumber, formatQuantity, type Reading } from './reading.ts'
import { useThemeVersion } from './theme-colors.ts'
import { Tool, Tools } from './tools.tsx'
import { words } from './words.ts'

interface PlanMapProps {
  label: string
  /** Points, tracks and anchors, in one plane; y grows upwards. */
  things: readonly MapThing[]
  unit?: string
  precision?: number
  reading?: Pick<Reading, 'at' | 'state'>
}

const ZOOM = 1.5
const STEP_PX = 40

/** Where things are, seen from above. It fits everything until somebody moves it. */
export function PlanMap({ label, things, unit = 'm', precision = 2, reading }: PlanMapProps) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const keysId = useId()
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [chosen, setChosen] = useState<MapView>()
  const dragged = useRef<{ readonly id: number; readonly x: number; readonly y: number }>(undefined)
  const theme = useThemeVersion()
  const view = chosen ?? fitMap(things, size)
  const state = reading?.state ?? 'live'

  useEffect(() => {
    const box = frame.current
    if (box === null) return undefined
    const observer = new ResizeObserver(() => setSize({ width: box.clientWidth, height: box.clientHeight }))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (canvas.current !== null && size.width > 0)
      drawMap(canvas.current, things, view, { size, unit, isLive: state === 'live' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- painted anew in another theme
  }, [things, view, size, unit, state, theme])

  const zoom = (factor: number, at = { x: size.width / 2, y: size.height / 2 }) =>
    setChosen(zoomMap(view, size, factor, at))
  const zoomNow = useRef(zoom)
  useEffect(() => {
    zoomNow.current = zoom
  })
  useEffect(() => {
    const box = frame.current
    if (box === null) return undefined
    const onWheel = (event: WheelEvent) => {
      // Whoever only scrolls past must not be caught.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== box) return
      event.preventDefault()
      const { left, top } = box.getBoundingClientRect()
      zoomNow.current(Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top })
    }
    // React listens passively, and the page would scroll as well.
    box.addEventListener('wheel', onWheel, { passive: false })
    return () => box.removeEventListener('wheel', onWheel)
  }, [])
  const move = (x: number, y: number) => setChosen(moveMap(view, x, y))
  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(-STEP_PX, 0),
    ArrowRight: () => move(STEP_PX, 0),
    ArrowUp: () => move(0, -STEP_PX),
    ArrowDown: () => move(0, STEP_PX),
    '+': () => zoom(ZOOM),
    '=': () => zoom(ZOOM),
    '-': () => zoom(1 / ZOOM),
    f: () => setChosen(undefined),
  }
  const drag = (event: PointerEvent) => {
    const from = dragged.current
    if (from?.id !== event.pointerId) return
    dragged.current = { id: from.id, x: event.clientX, y: event.clientY }
    move(from.x - event.clientX, from.y - event.clientY)
  }
  const drop = () => {
    dragged.current = undefined
  }
  return (
    <Instrument label={label} reading={reading}>
      <Tools label={words.map.tools(label)}>
        <Tool label={words.map.zoomIn} onPress={() => zoom(ZOOM)}>
          <ZoomIn aria-hidden />
        </Tool>
        <Tool label={words.map.zoomOut} onPress={() => zoom(1 / ZOOM)}>
          <ZoomOut aria-hidden />
        </Tool>
        <Tool label={words.map.fit} onPress={() => setChosen(undefined)}>
          <Focus aria-hidden />
        </Tool>
      </Tools>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys */}
      <div
        ref={frame}
        role="application"
        aria-roledescription={words.map.role}
        aria-label={label}
        aria-describedby={keysId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
        tabIndex={0}
        className={classes(styles.map)}
        data-scale={view.scale.toPrecision(4)}
        data-center={`${view.x.toFixed(3)} ${view.y.toFixed(3)}`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          dragged.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={drop}
        onPointerCancel={drop}
        onKeyDown={(event) => {
          const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
          if (act === undefined) return
          event.preventDefault()
          act()
        }}
      >
        <canvas ref={canvas} aria-hidden="true" className={styles.canvas} />
        {things.length === 0 && <p className={styles.nothing}>{words.map.nothing}</p>}
      </div>
      <p id={keysId} className={styles.keys}>
        {words.map.keys}
      </p>
      <details className={styles.details}>
        <summary>{words.map.positions}</summary>
        <table aria-label={words.map.positionsOf(label)} className={styles.positions}>
          <thead>
            <tr>
              <th scope="col">{words.table.name}</th>
              <th scope="col">{words.map.kind}</th>
              <th scope="col">{words.map.x}</th>
              <th scope="col">{words.map.y}</th>
            </tr>
          </thead>
          <tbody>
            {things.map((thing) => {
              const [x, y] = thing.kind === 'track' ? (thing.points.at(-1) ?? []) : [thing.x, thing.y]
              return (
                <tr key={thing.id}>
                  <th scope="row">{thing.name}</th>
                  <td>
                    {thing.kind === 'track' ? words.map.track(thing.points.length) : words.map[thing.kind]}
                  </td>
                  <td>{x === undefined ? words.dash : formatNumber(x, precision)}</td>
                  <td>{y === undefined ? words.dash : formatQuantity(y, unit, precision)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </details>
    </Instrument>
  )
}
