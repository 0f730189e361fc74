import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuProps as AriaMenuProps,
} from 'react-aria-components/Menu'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import { classes } from './classes.ts'
import styles from './popover.module.css'

export interface MenuEntry {
  id: string
  label: string
  icon?: ReactNode
  tone?: 'neutral' | 'danger'
  isDisabled?: boolean
  href?: string
}

interface MenuProps
  extends Omit<AriaMenuProps<MenuEntry>, 'className' | 'style' | 'children' | 'items' | 'render'> {
  entries: readonly MenuEntry[]
  placement?: NonNullable<PopoverProps['placement']>
}

/** Opens from the `MenuTrigger` around it. With `selectionMode` it shows which entry is chosen. */
export function Menu({ entries, placement = 'bottom end', ...props }: MenuProps) {
  return (
    <Popover placement={placement} offset={6} data-overlay className={classes(styles.popover)}>
      <AriaMenu {...props} items={entries} className={classes(styles.list)}>
        {({ id, label, icon, tone = 'neutral', isDisabled = false, href }) => (
          <AriaMenuItem
            id={id}
            textValue={label}
            isDisabled={isDisabled}
            data-tone={tone}
            className={classes(styles.item)}
            {...(href === undefined ? {} : { href })}
          >
            {icon}
            <span className={styles.text}>{label}</span>
            {props.selectionMode !== undefined && <Check aria-hidden className={styles.check} />}
          </AriaMenuItem>
        )}
      </AriaMenu>
    </Popover>
  )
}
