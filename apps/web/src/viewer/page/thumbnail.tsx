import { ImageIcon } from 'lucide-react'
import { useState } from 'react'
import styles from './thumbnail.module.css'

/** The picture in small, or a sign in its place while it cannot be drawn. The words beside it say what it is. */
export function Thumbnail({ address }: { address: string | undefined }) {
  const [broken, setBroken] = useState<string>()
  const isDrawn = address !== undefined && address !== broken
  return (
    <span className={styles.frame}>
      {isDrawn ? (
        <img src={address} alt="" className={styles.image} onError={() => setBroken(address)} />
      ) : (
        <ImageIcon aria-hidden className={styles.sign} />
      )}
    </span>
  )
}
