import { type ReactNode, useEffect, useRef } from 'react'
import { CopyField } from '../components/copy-field.tsx'
import { Notice } from '../components/notice.tsx'
import styles from '../parts/form-dialog.module.css'

interface ShownOnceProps {
  label: string
  value: string
  warning: string
  children: ReactNode
  /** What to do with it. */
  uses?: ReactNode
}

/** A secret at the only moment it can be read. */
export function ShownOnce({ label, value, warning, children, uses }: ShownOnceProps) {
  const frame = useRef<HTMLElement>(null)
  // The button that made it is gone; without this the focus would fall on the one that closes the dialog.
  useEffect(() => frame.current?.focus({ preventScroll: true }), [])
  return (
    <section ref={frame} tabIndex={-1} aria-label={label} className={styles.form}>
      <Notice title={warning} tone="warning" isLive>
        {children}
      </Notice>
      <CopyField label={label} value={value} />
      {uses}
    </section>
  )
}
