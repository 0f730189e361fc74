import type { ReactNode } from 'react'
import { Group } from 'react-aria-components/Group'
import { classes } from '../../../components/classes.ts'
import styles from './tool-bar.module.css'

interface ToolBarProps {
  label: string
  className?: string | undefined
  children: ReactNode
}

/** The controls of a panel. */
export function ToolBar({ label, className, children }: ToolBarProps) {
  return (
    <Group aria-label={label} className={classes(styles.bar, className)}>
      {children}
    </Group>
  )
}
