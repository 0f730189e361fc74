import type { Design, DesignSheet } from '@patchbay/kicad-format'
import { Button } from 'react-aria-components/Button'
import { classes } from '../../../components/classes.ts'
import styles from './schematic-editor.module.css'
import { words } from './words.ts'

interface SheetPathProps {
  design: Design
  sheet: DesignSheet
  show: (name: string) => void
}

/** The sheets that lead to the one that is shown. */
export function SheetPath({ design, sheet, show }: SheetPathProps) {
  if (design.sheets.length < 2) return null
  const names = sheet.name.split('/').slice(1, -1)
  const steps = ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}/`)]
  return (
    <nav aria-label={words.sheets.label}>
      <ol className={styles.sheets}>
        {steps.map((name, index) => (
          <li key={name}>
            <Button
              className={classes(styles.crumb)}
              onPress={() => show(name)}
              {...(name === sheet.name && { 'aria-current': 'page' as const })}
            >
              {index === 0 ? words.sheets.root : names[index - 1]}
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
