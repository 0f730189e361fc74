import { type PointerEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../../../components/classes.ts'
import { FIRST_REGION, pictureBox, type Region, regionAfterKey, regionBetween, within } from './camera-aim.ts'
import { words } from './words.ts'
import styles from './zoom-camera.module.css'

interface RegionLayerProps {
  /** Of the picture, which may be smaller than the layer. */
  picture: { readonly width: number; readonly height: number } | undefined
  region: Region | undefined
  /** What the near camera sees by now. */
  seen: Region | undefined
  isReadOnly: boolean
  /** Drawn, or chosen with Enter. */
  choose: (region: Region) => void
}

/** Lies over the wide picture: a region is drawn on it with the pointer, or moved with keys and chosen with Enter. */
export function RegionLayer({ picture, region, seen, isReadOnly, choose }: RegionLayerProps) {
  const layer = useRef<HTMLDivElement>(null)
  const size = useSize(layer)
  const box = pictureBox(size, picture)
  const keysId = useId()
  const [drawn, setDrawn] = useState<Region>()
  const from = useRef<{ readonly x: number; readonly y: number; readonly id: number }>(undefined)
  const shown = drawn ?? region

  const pointIn = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return {
      x: within(((clientX - left) / width - box.x) / box.width, 0, 1),
      y: within(((clientY - top) / height - box.y) / box.height, 0, 1),
    }
  }
  const giveUp = () => {
    from.current = undefined
    setDrawn(undefined)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys
    <div
      ref={layer}
      role="application"
      aria-label={words.camera.region}
      aria-describedby={keysId}
      aria-disabled={isReadOnly}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
      tabIndex={0}
      className={classes(styles.layer)}
      onPointerDown={(event) => {
        if (isReadOnly || event.button !== 0 || from.current !== undefined) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { ...pointIn(event), id: event.pointerId }
      }}
      onPointerMove={(event) => {
        if (from.current?.id === event.pointerId) setDrawn(regionBetween(from.current, pointIn(event)))
      }}
      onPointerUp={(event) => {
        if (from.current?.id !== event.pointerId) return
        // A press without a way is none.
        if (drawn !== undefined) choose(drawn)
        giveUp()
      }}
      onPointerCancel={giveUp}
      onKeyDown={(event) => {
        if (isReadOnly || event.ctrlKey || event.metaKey || event.altKey) return
        const next = regionAfterKey(shown ?? FIRST_REGION, event.key)
        if (next !== undefined) setDrawn(next)
        else if (event.key === 'Enter' && shown !== undefined) {
          choose(shown)
          setDrawn(undefined)
        } else if (event.key === 'Escape' && drawn !== undefined) {
          giveUp()
          // Escape means what it did here, and not what is around.
          event.stopPropagation()
        } else return
        event.preventDefault()
      }}
    >
      {seen !== undefined && <Outline region={seen} box={box} kind="seen" />}
      {shown !== undefined && (
        <Outline region={shown} box={box} kind={drawn === undefined ? 'chosen' : 'drawn'} />
      )}
      <span id={keysId} className={styles.keys}>
        {words.camera.keys}
      </span>
    </div>
  )
}

function Outline({ region, box, kind }: { region: Region; box: Region; kind: 'chosen' | 'drawn' | 'seen' }) {
  const percent = (share: number) => `${share * 100}%`
  return (
    <div
      aria-hidden="true"
      className={classes(styles.outline)}
      data-kind={kind}
      style={{
        insetInlineStart: percent(box.x + region.x * box.width),
        insetBlockStart: percent(box.y + region.y * box.height),
        inlineSize: percent(region.width * box.width),
        blockSize: percent(region.height * box.height),
      }}
    />
  )
}

function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
