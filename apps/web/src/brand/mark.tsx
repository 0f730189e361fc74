import styles from './mark.module.css'

/** A cable that forms a P around a jack. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className={styles.mark}>
      <path className={styles.cable} d="M8.5 29V13.5a8.75 8.75 0 1 1 8.75 8.75" />
      <circle className={styles.jack} cx="17.25" cy="13.5" r="3.25" />
    </svg>
  )
}
