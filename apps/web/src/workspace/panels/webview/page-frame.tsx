import { type RefObject, useState } from 'react'
import styles from './webview.module.css'

interface PageFrameProps {
  address: string
  title: string
  rights: string
  frame?: RefObject<HTMLIFrameElement | null>
  onLoad?: () => void
}

/**
 * A page of the web in a frame of its own. Its address stays what it was at first: another one, or the same again, is
 * another frame with another key. A new `src` would add to the history of the whole tab, and a renewed ticket load the page again.
 */
export function PageFrame({ address, title, rights, frame, onLoad }: PageFrameProps) {
  const [src] = useState(address)
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title={title}
      sandbox={rights}
      referrerPolicy="no-referrer"
      src={src}
      onLoad={onLoad}
    />
  )
}
