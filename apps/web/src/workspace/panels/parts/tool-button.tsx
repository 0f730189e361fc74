import type { ReactNode } from 'react'
import { IconButton } from '../../../components/icon-button.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'

interface ToolButtonProps {
  label: string
  onPress?: () => void
  isDisabled?: boolean
  children: ReactNode
}

/** A button of a tool bar, with its name on hover and focus. */
export function ToolButton({ label, children, ...props }: ToolButtonProps) {
  return (
    <Tooltip text={label} placement="bottom">
      <IconButton {...props} label={label} size="sm">
        {children}
      </IconButton>
    </Tooltip>
  )
}
