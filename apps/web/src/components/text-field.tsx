import { Input } from 'react-aria-components/Input'
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { FieldFrame, type FieldTexts } from './field.tsx'
import type { Size } from './types.ts'

interface TextFieldProps
  extends FieldTexts,
    Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'render' | 'isInvalid'> {
  size?: Size
  placeholder?: string
  /** Identifiers, tokens, paths: anything read letter by letter. */
  isMono?: boolean
}

export function TextField({
  label,
  description,
  errorMessage,
  isLabelHidden,
  size = 'md',
  placeholder,
  isMono = false,
  ...props
}: TextFieldProps) {
  const texts = { label, description, errorMessage, isLabelHidden, isRequired: props.isRequired }
  return (
    <AriaTextField {...props} isInvalid={errorMessage !== undefined} className={classes(styles.field)}>
      <FieldFrame {...texts}>
        <Input
          className={classes(styles.control, isMono && styles.mono)}
          data-size={size}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      </FieldFrame>
    </AriaTextField>
  )
}
