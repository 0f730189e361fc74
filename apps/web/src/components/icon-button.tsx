import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'
import type { ButtonVariant } from './button.tsx'
import { classes } from './classes.ts'
import type { Size } from './types.ts'

interface IconButtonProps
  extends Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'render' | 'aria-label'> {
  /** What a screen reader says; there is no visible text. */
  label: string
  variant?: ButtonVariant
  size?: Size
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, variant = 'ghost', size = 'md', children, ...props }: IconButtonProps) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      className={classes(styles.button, styles.iconOnly)}
      data-variant={variant}
      data-size={size}
    >
      {children}
    </AriaButton>
  )
}
