import type { Paste } from '@patchbay/contracts/viewer'
import { sizeInWords } from '../../parts/size-words.ts'
import styles from './pictures.module.css'

/** What came in, and what lies in the project for agents to look at. */
export function SizeChange({ paste: { original, optimized, source } }: { paste: Paste }) {
  return (
    <p className={styles.facts}>
      <span className={styles.size}>{inWords(original, source.bytes)}</span>
      <span aria-hidden="true"> → </span>
      <span className={styles.hidden}> became </span>
      <span className={styles.size}>{inWords(optimized, optimized.bytes)}</span>
    </p>
  )
}

function inWords({ width, height }: { width: number; height: number }, bytes: number): string {
  return `${width} × ${height}, ${sizeInWords(bytes)}`
}
