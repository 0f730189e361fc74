import { Label } from 'react-aria-components/Label'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { classes } from './classes.ts'
import styles from './progress.module.css'

interface ProgressProps {
  label: string
  /** From 0 to 100; left out while the end is unknown. */
  value?: number
}

export function Progress({ label, value }: ProgressProps) {
  const amount = value === undefined ? { isIndeterminate: true } : { value }
  return (
    <ProgressBar {...amount} className={classes(styles.progress)}>
      {({ percentage, valueText, isIndeterminate }) => (
        <>
          <Label className={classes(styles.label)}>{label}</Label>
          <span className={styles.value}>{isIndeterminate ? '' : valueText}</span>
          <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect
              className={styles.fill}
              data-unknown={isIndeterminate}
              width={percentage ?? 30}
              height="6"
            />
          </svg>
        </>
      )}
    </ProgressBar>
  )
}
