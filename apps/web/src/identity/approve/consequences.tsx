import { Check, X } from 'lucide-react'
import styles from './consequences.module.css'
import { words } from './words.tsx'

/** What an approval means. */
export function Consequences() {
  return (
    <div className={styles.consequences}>
      <h2 className={styles.heading}>{words.consequences.heading}</h2>
      <ul className={styles.list}>
        {words.consequences.can.map((text) => (
          <li key={text}>
            <Check aria-hidden className={styles.can} />
            <span>{text}</span>
          </li>
        ))}
        {words.consequences.cannot.map((text) => (
          <li key={text}>
            <X aria-hidden className={styles.cannot} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <p className={styles.end}>{words.consequences.end}</p>
    </div>
  )
}
