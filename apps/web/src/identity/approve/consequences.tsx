import { Check, X } from 'lucide-react'
import styles from './consequences.module.css'

const CAN = ['act in your name, with what you own']
const CANNOT = ['approve other applications', 'change your sessions, API keys or passkeys']

/** What an approval means. */
export function Consequences() {
  return (
    <div className={styles.consequences}>
      <h2 className={styles.heading}>If you approve, it</h2>
      <ul className={styles.list}>
        {CAN.map((text) => (
          <li key={text}>
            <Check aria-hidden className={styles.can} />
            <span>can {text}</span>
          </li>
        ))}
        {CANNOT.map((text) => (
          <li key={text}>
            <X aria-hidden className={styles.cannot} />
            <span>cannot {text}</span>
          </li>
        ))}
      </ul>
      <p className={styles.end}>You can end its session at any time on your account page.</p>
    </div>
  )
}
