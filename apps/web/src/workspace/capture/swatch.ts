import styles from './swatch.module.css'

/** As in the stylesheet. The two matrices differ most for greens. */
const COLOR = [0, 170, 0]
const WIDTHS = [64, 96] as const
const HEIGHT = 48

export interface Swatch {
  readonly element: HTMLElement
  /** Whether a frame shows the patch. */
  isIn(frame: VideoFrame): boolean
  remove(): void
}

/** A patch of known color below everything else on the page, of another shape than the element. */
export function showSwatch(besides: HTMLElement): Swatch {
  const { width, height } = besides.getBoundingClientRect()
  const isAlike = Math.abs(width / height - WIDTHS[0] / HEIGHT) < 0.1
  const element = document.createElement('div')
  element.className = styles['swatch'] ?? ''
  element.toggleAttribute('data-wide', isAlike)
  element.ariaHidden = 'true'
  document.body.append(element)
  // A page that does not move gives no frames, and the only one after a change may be lost.
  let beats = 0
  const beat = (): void => {
    beats += 1
    element.style.translate = `${beats % 2}px 0`
    if (element.isConnected) requestAnimationFrame(beat)
  }
  beat()
  const shape = WIDTHS[isAlike ? 1 : 0] / HEIGHT
  return {
    element,
    isIn: (frame) => Math.abs(frame.displayWidth / frame.displayHeight - shape) < 0.05,
    remove: () => element.remove(),
  }
}

/** How far a color is from that of the patch. */
export function distance(color: readonly number[]): number {
  return COLOR.reduce((sum, channel, index) => sum + Math.abs(channel - (color[index] ?? 0)), 0)
}
