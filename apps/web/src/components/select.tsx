import { Check, ChevronsUpDown } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import {
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  SelectValue,
} from 'react-aria-components/Select'
import { classes } from './classes.ts'
import field from './field.module.css'
import { FieldFrame, type FieldTexts } from './field.tsx'
import popover from './popover.module.css'
import styles from './select.module.css'
import type { Size } from './types.ts'

export interface SelectOption {
  id: string
  label: string
  isDisabled?: boolean
}

interface SelectProps
  extends FieldTexts,
    Omit<AriaSelectProps, 'className' | 'style' | 'children' | 'render' | 'isInvalid'> {
  options: readonly SelectOption[]
  size?: Size
}

export function Select({
  label,
  description,
  errorMessage,
  isLabelHidden,
  options,
  size = 'md',
  ...props
}: SelectProps) {
  const texts = { label, description, errorMessage, isLabelHidden, isRequired: props.isRequired }
  return (
    <AriaSelect {...props} isInvalid={errorMessage !== undefined} className={classes(field.field)}>
      <FieldFrame {...texts}>
        <Button className={classes(field.control, styles.trigger)} data-size={size}>
          <SelectValue className={classes(styles.value)}>
            {/* Only the words: the default repeats the option with its check mark. */}
            {({ isPlaceholder, defaultChildren, selectedText }) =>
              isPlaceholder ? defaultChildren : selectedText
            }
          </SelectValue>
          <ChevronsUpDown aria-hidden className={styles.arrows} />
        </Button>
      </FieldFrame>
      <Popover data-overlay className={classes(popover.popover, styles.popover)} offset={4}>
        <ListBox items={options} className={classes(popover.list)}>
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.label}
              isDisabled={option.isDisabled ?? false}
              className={classes(popover.item)}
            >
              <span className={popover.text}>{option.label}</span>
              <Check aria-hidden className={popover.check} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
