import type { ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { words } from './words.ts'

export interface FieldTexts {
  label: string
  description?: string | undefined
  /** Shown instead of the description; the field is then invalid. */
  errorMessage?: string | undefined
  /** Where the row around it says what it is; a screen reader still reads the label. */
  isLabelHidden?: boolean | undefined
}

interface FieldFrameProps extends FieldTexts {
  isRequired: boolean | undefined
  children: ReactNode
}

/** Label above, help below: the frame every field shares. It must stand inside a React Aria field. */
export function FieldFrame({
  label,
  description,
  errorMessage,
  isLabelHidden = false,
  isRequired,
  children,
}: FieldFrameProps) {
  return (
    <>
      <Label className={classes(styles.label, isLabelHidden && styles.hidden)}>
        {label}
        {isRequired === true && <span className={styles.required}>{words.field.required}</span>}
      </Label>
      {children}
      {description !== undefined && errorMessage === undefined && (
        <Text slot="description" className={classes(styles.description)}>
          {description}
        </Text>
      )}
      <FieldError className={classes(styles.error)}>
        {({ validationErrors }) => errorMessage ?? validationErrors.join(' ')}
      </FieldError>
    </>
  )
}
