import styles from './webview.module.css'

/** How far a proxied page is scrolled: a line, with words for those who do not see it. */
export function ScrollMeter({ pixels, percent }: { pixels: number; percent: number | undefined }) {
  const words = percent === undefined ? `Scrolled ${pixels} pixels` : `Scrolled ${percent} %`
  return (
    <meter
      aria-label="Scroll position"
      aria-valuetext={words}
      title={words}
      max={100}
      value={percent ?? 0}
      className={styles.meter}
    />
  )
}
