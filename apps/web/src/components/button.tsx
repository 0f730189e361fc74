import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Spinner } from './spinner.tsx'
import type { Size } from './types.ts'
import { words } from './words.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'render'> {
  variant?: ButtonVariant
  size?: Size
  icon?: ReactNode
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({ variant = 'secondary', size = 'md', icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={classes(styles.button)} data-variant={variant} data-size={size}>
      {({ isPending }) => (
        <>
          {isPending ? <Spinner size="sm" label={words.button.pending} /> : icon}
          <span className={styles.label}>{children}</span>
        </>
      )}
    </AriaButton>
  )
}
