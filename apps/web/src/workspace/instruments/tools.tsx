import type { ReactNode } from 'react'
import { Group } from 'react-aria-components/Group'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import button from '../../components/button.module.css'
import { classes } from '../../components/classes.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import styles from './instrument.module.css'

/** The small buttons of an instrument. */
export function Tools({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group aria-label={label} className={classes(styles.tools)}>
      {children}
    </Group>
  )
}

interface ToolProps {
  label: string
  onPress: () => void
  isDisabled?: boolean
  children: ReactNode
}

export function Tool({ label, onPress, isDisabled = false, children }: ToolProps) {
  return (
    <Tooltip text={label} placement="bottom">
      <IconButton label={label} size="sm" onPress={onPress} isDisabled={isDisabled}>
        {children}
      </IconButton>
    </Tooltip>
  )
}

interface ToolSwitchProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

/** One that is on or off. */
export function ToolSwitch({ label, isOn, onChange, children }: ToolSwitchProps) {
  return (
    <Tooltip text={label} placement="bottom">
      <ToggleButton
        aria-label={label}
        isSelected={isOn}
        onChange={onChange}
        className={classes(button.button, button.iconOnly, styles.toggle)}
        data-variant="ghost"
        data-size="sm"
      >
        {children}
      </ToggleButton>
    </Tooltip>
  )
}
