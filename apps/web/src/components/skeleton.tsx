import styles from './skeleton.module.css'

interface SkeletonProps {
  /** Read to a screen reader in place of the gray lines. */
  label: string
  lines?: number
}

/** For a wait whose result has a known shape. */
export function Skeleton({ label, lines = 3 }: SkeletonProps) {
  return (
    <output aria-label={label} className={styles.skeleton}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} />
      ))}
    </output>
  )
}
