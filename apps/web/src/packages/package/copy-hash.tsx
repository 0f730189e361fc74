import { Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { notify } from '../../components/toast.tsx'
import styles from './copy-hash.module.css'
import { words } from './words.tsx'

const SHOWN_LETTERS = 8

/** The first letters are enough to compare by eye; the button copies all of it. */
export function CopyHash({ version, hash }: { version: string; hash: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(hash)
      notify({ title: words.hash.copied(version) })
    } catch {
      // No clipboard without HTTPS or permission: the person copies by hand, for which all of it must be there.
      setIsWhole(true)
      notify({ title: words.hash.copyByHand, tone: 'warning' })
    }
  }
  return (
    <span className={styles.hash}>
      <code title={hash} className={isWhole ? styles.whole : styles.text}>
        {isWhole ? hash : `${hash.slice(0, SHOWN_LETTERS)}…`}
      </code>
      <IconButton size="sm" label={words.hash.copy(version)} onPress={() => void copy()}>
        <Copy aria-hidden />
      </IconButton>
    </span>
  )
}
