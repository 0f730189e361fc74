import type { ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import button from '../../../components/button.module.css'
import { classes } from '../../../components/classes.ts'
import { Tooltip } from '../../../components/tooltip.tsx'
import styles from './tool-bar.module.css'

interface ToolToggleProps {
  label: string
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  isDisabled?: boolean
  children: ReactNode
}

/** A button of a tool bar that is on or off. */
export function ToolToggle({ label, isSelected, onChange, isDisabled = false, children }: ToolToggleProps) {
  return (
    <Tooltip text={label} placement="bottom">
      <ToggleButton
        aria-label={label}
        isSelected={isSelected}
        onChange={onChange}
        isDisabled={isDisabled}
        className={classes(button.button, button.iconOnly, styles.toggle)}
        data-variant="ghost"
        data-size="sm"
      >
        {children}
      </ToggleButton>
    </Tooltip>
  )
}
