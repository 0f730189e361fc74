import type { ReactElement } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { classes } from './classes.ts'
import styles from './tooltip.module.css'

interface TooltipProps {
  text: string
  placement?: 'top' | 'bottom' | 'left' | 'right'
  /** The button or link it belongs to. */
  children: ReactElement
}

/** Says more about a control. It never holds the only copy of anything: a touch screen does not show it. */
export function Tooltip({ text, placement = 'top', children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      {children}
      <AriaTooltip placement={placement} offset={6} className={classes(styles.tooltip)}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
