import { CopyField } from '../components/copy-field.tsx'
import styles from './feed-address.module.css'

/** An address that design tools read packages from, and what to do with it. */
export function FeedAddress({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.feed}>
      <CopyField label={label} value={value} />
      <p className={styles.how}>
        In your design tool open the plugin and content manager, choose Manage, and add this address as a
        repository.
      </p>
    </div>
  )
}
