import { ImageDown } from 'lucide-react'
import { words } from '../words.tsx'
import styles from './drop-cover.module.css'

/** Over the whole page while files hang above it: wherever they are let go, they are taken. */
export function DropCover() {
  return (
    <div className={styles.cover} data-drop-cover>
      <p className={styles.words}>
        <ImageDown aria-hidden />
        {words.dropCover}
      </p>
    </div>
  )
}
