import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Plot } from './plot-engine.ts'
import { edgeOf, latestOf, type View } from './plot-view.ts'
import type { SeriesBuffer } from './series-buffer.ts'
import { colorsOf, useThemeVersion } from './theme-colors.ts'

export interface PlotSeries {
  readonly id: string
  readonly name: string
  readonly unit?: string
  readonly precision?: number
  readonly buffer: SeriesBuffer
}

export interface Threshold {
  readonly value: number
  readonly label: string
  readonly tone: 'warning' | 'danger'
  /** Of the series that it is about; without one, of the first. */
  readonly unit?: string
}

/** Numbers that change faster than this cannot be read. */
const SUMMARY_MS = 250
export const COLORS = ['--person-5', '--person-1', '--person-3', '--person-7', '--person-0', '--person-4']
export const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 4]]
const TOKENS = {
  text: '--text-muted',
  grid: '--line',
  ground: '--surface',
  warning: '--warning-text',
  danger: '--danger-text',
}

export interface PlotActions {
  readonly zoom: (factor: number, at?: number) => void
  readonly pan: (byMs: number) => void
  readonly select: (from: number, to: number) => void
}

interface PlotInputs {
  readonly series: readonly PlotSeries[]
  readonly thresholds: readonly Threshold[]
  readonly buffers: readonly SeriesBuffer[]
  readonly view: View
  readonly moment: number | undefined
  readonly actions: RefObject<PlotActions | undefined>
  readonly setCursor: (at: number | undefined) => void
}

/** The drawing, loaded when the first plot is shown. It is made anew when its lines or the theme change. */
export function usePlot(place: RefObject<HTMLDivElement | null>, inputs: PlotInputs) {
  const { series, thresholds, buffers, view, moment, actions, setCursor } = inputs
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading')
  const plot = useRef<Plot>(undefined)
  const draw = useRef<() => void>(() => undefined)
  const theme = useThemeVersion()
  const look = JSON.stringify([series.map(({ name, unit }) => [name, unit]), thresholds])
  useEffect(() => {
    draw.current = () => {
      const to = view.end ?? edgeOf(view, moment, latestOf(buffers)) ?? 0
      const width = place.current?.clientWidth ?? 0
      // A little more on both sides: a line must not end before the edge.
      const data = buffers.map((buffer) => buffer.view(to - view.span * 1.1, to + view.span * 0.1, width))
      plot.current?.show(data, to - view.span, to, moment)
    }
    draw.current()
  }, [buffers, view, moment, place])
  /* oxlint-disable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- `look` stands for the lines and limits, `theme` for the colors */
  useEffect(() => {
    let isOver = false
    const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(() => {
      if (place.current === null || place.current.clientWidth === 0) return
      plot.current?.resize(sizeOf(place.current))
      draw.current()
    })
    void import('./plot-engine.ts').then(
      ({ makePlot }) => {
        const element = place.current
        if (isOver || element === null) return
        const colors = colorsOf(element, TOKENS)
        const lineColors = colorsOf(element, Object.fromEntries(COLORS.map((token) => [token, token])))
        plot.current = makePlot(element, {
          lines: series.map(({ name, unit = '' }, index) => ({
            name,
            unit,
            color: lineColors[COLORS[index % COLORS.length] ?? ''] ?? colors.text,
            dash: DASHES[index % DASHES.length] ?? [],
          })),
          limits: thresholds.map(({ value, label, tone, unit }) => ({
            value,
            label,
            unit: unit ?? series[0]?.unit ?? '',
            color: colors[tone],
          })),
          colors,
          font: getComputedStyle(element).fontFamily,
          size: sizeOf(element),
          onSelect: (from, to) => actions.current?.select(from, to),
          onPan: (byMs) => actions.current?.pan(byMs),
          onCursor: setCursor,
        })
        observer.observe(element)
        setStatus('ready')
        draw.current()
      },
      () => setStatus('failed'),
    )
    return () => {
      isOver = true
      observer.disconnect()
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [look, theme])
  /* oxlint-enable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps */
  useEffect(() => {
    let queued: number | undefined
    const redraw = () => {
      queued ??= requestAnimationFrame(() => {
        queued = undefined
        draw.current()
      })
    }
    const ends = buffers.map((buffer) => buffer.subscribe(redraw))
    return () => {
      for (const end of ends) end()
      if (queued !== undefined) cancelAnimationFrame(queued)
    }
  }, [buffers])
  return status
}

/** Without the focus a plain wheel scrolls the page: whoever only passes by must not be caught. */
export function useWheel(
  frame: RefObject<HTMLElement | null>,
  place: RefObject<HTMLElement | null>,
  onZoom: (factor: number, share: number) => void,
): void {
  const latest = useRef(onZoom)
  useEffect(() => {
    latest.current = onZoom
  })
  useEffect(() => {
    const box = frame.current
    if (box === null) return undefined
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== box) return
      event.preventDefault()
      const over = place.current?.querySelector('.u-over') ?? box
      const { left, width } = over.getBoundingClientRect()
      const share = Math.min(1, Math.max(0, (event.clientX - left) / width))
      latest.current(Math.exp(event.deltaY / 300), share)
    }
    // React listens passively, and the page would scroll as well.
    box.addEventListener('wheel', onWheel, { passive: false })
    return () => box.removeEventListener('wheel', onWheel)
  }, [frame, place])
}

/** Another number after changes of the buffers. */
export function useVersion(buffers: readonly SeriesBuffer[]): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    let timer: number | undefined
    const changed = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        setVersion((before) => before + 1)
      }, SUMMARY_MS)
    }
    const ends = buffers.map((buffer) => buffer.subscribe(changed))
    return () => {
      for (const end of ends) end()
      clearTimeout(timer)
    }
  }, [buffers])
  return version
}
