import type { CatalogPanel } from '@patchbay/contracts'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Badge } from '../../components/badge.tsx'
import { classes } from '../../components/classes.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { PanelIcon } from '../icons.tsx'
import { useCatalog, useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { addingOf, type Choice, type Shelf, shelvesOf } from './panel-choice.ts'
import type { PickerRequest } from './picker-context.ts'
import styles from './picker-dialog.module.css'

interface PickerDialogProps {
  request: PickerRequest
  close: () => void
}

/** Where a panel is chosen: by category, or by words. */
export function PickerDialog({ request, close }: PickerDialogProps) {
  const session = useWorkspaceSession()
  const catalog = useCatalog()
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const [words, setWords] = useState('')
  const shelves = shelvesOf(catalog.panels.values(), layout, words)
  const count = shelves.reduce((sum, { choices }) => sum + choices.length, 0)

  const add = (panel: CatalogPanel) => {
    const change = addingOf(layout, panel, request.leafId, session.newId)
    const refused = change === undefined ? undefined : session.store.change(change)
    close()
    if (refused !== undefined) return session.refuse(refused)
    // The dialog gives the focus back first.
    if (change?.type === 'addTab') setTimeout(() => session.dock.get()?.focusTab(change.tab.id), 100)
  }

  return (
    <Dialog
      title="Add a panel"
      size="lg"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.picker}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- most people type what they look for */}
        <TextField label="Search" value={words} onChange={setWords} autoFocus />
        <output className={styles.count}>{catalog.state === 'loading' ? '' : countInWords(shelves)}</output>
        {catalog.state === 'loading' && <Skeleton label="Asking for the panels" lines={5} />}
        {catalog.state === 'failed' && (
          <FailureNotice error={catalog.error} retry={() => void session.catalog.load()} />
        )}
        {shelves.map(({ category, choices }) => (
          <section key={category} aria-labelledby={`shelf-${category}`}>
            <h3 id={`shelf-${category}`} className={styles.category}>
              {category}
            </h3>
            <ul className={styles.choices}>
              {choices.map((choice) => (
                <li key={choice.panel.id}>
                  <ChoiceButton choice={choice} add={add} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {catalog.state === 'loaded' && count === 0 && <p>No panel fits these words.</p>}
      </div>
    </Dialog>
  )
}

function countInWords(shelves: readonly Shelf[]): string {
  const all = shelves.flatMap(({ choices }) => choices)
  const ready = all.filter(({ panel }) => panel.availability === 'ready').length
  const panels = `${all.length} ${all.length === 1 ? 'panel' : 'panels'}`
  if (ready === all.length) return panels
  return ready === 0 ? `${panels}, planned` : `${panels}, ${ready} of them ready to use`
}

function ChoiceButton({ choice, add }: { choice: Choice; add: (panel: CatalogPanel) => void }) {
  const { panel, obstacle } = choice
  return (
    <AriaButton
      isDisabled={obstacle !== undefined}
      onPress={() => add(panel)}
      className={classes(styles.choice)}
    >
      <PanelIcon name={panel.icon} />
      <span className={styles.words}>
        <span className={styles.name}>
          {panel.name} {panel.availability === 'planned' && <Badge>planned</Badge>}
        </span>
        <span className={styles.description}>{obstacle ?? panel.description}</span>
      </span>
    </AriaButton>
  )
}
