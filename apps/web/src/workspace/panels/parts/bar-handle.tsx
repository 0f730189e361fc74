import { ChevronsDown } from 'lucide-react'
import styles from './tool-bar.module.css'
import { ToolButton } from './tool-button.tsx'

/** Brings a bar back that was hidden, perhaps by a script. Lies over the corner of what is around it. */
export function BarHandle({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <div className={styles.handle}>
      <ToolButton label={label} onPress={onPress}>
        <ChevronsDown aria-hidden />
      </ToolButton>
    </div>
  )
}
