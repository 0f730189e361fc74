import type { CatalogPanel } from '@patchbay/contracts/panels'
import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classes } from '../../components/classes.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { PanelIcon } from '../icons.tsx'
import { addingOf, type Choice, type Shelf, shelvesOf } from '../panel-choice.ts'
import { words } from '../words.tsx'
import { fetchClosedTabs } from '../workspace.api.ts'
import { useCatalog, useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './picker-dialog.module.css'

interface PickerDialogProps {
  /** The leaf that the panel shall go to; the first one unless given. */
  leafId: string | undefined
  close: () => void
}

/** Where a panel is chosen: by category, or by words. */
export function PickerDialog({ leafId, close }: PickerDialogProps) {
  const session = useWorkspaceSession()
  const catalog = useCatalog()
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const [search, setSearch] = useState('')
  const shelves = shelvesOf(catalog.panels.values(), layout, search)
  const count = shelves.reduce((sum, { choices }) => sum + choices.length, 0)

  const add = (panel: CatalogPanel) => {
    const change = addingOf(layout, panel, leafId, session.newId)
    const refused = change === undefined ? undefined : session.store.change(change)
    close()
    if (refused !== undefined) return session.refuse(refused)
    if (change?.type === 'addTab') session.dock.get()?.showTab(change.tab.id)
  }

  return (
    <Dialog
      title={words.picker.title}
      size="lg"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.picker}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- most people type what they look for */}
        <TextField label={words.picker.search} value={search} onChange={setSearch} autoFocus />
        <output className={styles.count}>{catalog.state === 'loading' ? '' : countInWords(shelves)}</output>
        {catalog.state === 'loading' && <Skeleton label={words.picker.loading} lines={5} />}
        {catalog.state === 'failed' && (
          <FailureNotice error={catalog.error} retry={() => void session.catalog.load()} />
        )}
        <RecentlyClosed search={search} close={close} />
        {shelves.map(({ title, choices }) => (
          <section key={title} aria-labelledby={`shelf-${title}`}>
            <h3 id={`shelf-${title}`} className={styles.category}>
              {title}
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
        {catalog.state === 'loaded' && count === 0 && <p>{words.picker.none}</p>}
      </div>
    </Dialog>
  )
}

const SHOWN_CLOSED = 6

/** Tabs that were closed and can be brought back with what they showed. Nothing where there are none. */
function RecentlyClosed({ search, close }: { search: string; close: () => void }) {
  const { workspace, closing } = useWorkspaceSession()
  const load = useCallback((signal: AbortSignal) => fetchClosedTabs(workspace, signal), [workspace])
  const { answer } = useLoaded(load)
  const items = answer.state === 'loaded' ? answer.value.items : []
  const found = items.filter(({ displayName }) => displayName.toLowerCase().includes(search.toLowerCase()))
  if (found.length === 0) return null
  return (
    <section aria-labelledby="recently-closed">
      <h3 id="recently-closed" className={styles.category}>
        {words.picker.recentlyClosed}
      </h3>
      <ul className={styles.choices}>
        {found.slice(0, SHOWN_CLOSED).map(({ tabId, displayName, displayIcon, closedAt }) => (
          <li key={tabId}>
            <AriaButton
              onPress={() => {
                close()
                void closing.reopen(tabId)
              }}
              className={classes(styles.choice)}
            >
              <PanelIcon name={displayIcon} />
              <span className={styles.words}>
                <span className={styles.name}>{displayName}</span>
                <span className={styles.description}>{words.picker.closed(<When at={closedAt} />)}</span>
              </span>
            </AriaButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

function countInWords(shelves: readonly Shelf[]): string {
  const all = shelves.flatMap(({ choices }) => choices)
  const ready = all.filter(({ panel }) => panel.availability === 'ready').length
  return words.picker.count(ready, all.length - ready)
}

function ChoiceButton({ choice, add }: { choice: Choice; add: (panel: CatalogPanel) => void }) {
  const { panel, isAddable, obstacle } = choice
  return (
    <AriaButton isDisabled={!isAddable} onPress={() => add(panel)} className={classes(styles.choice)}>
      <PanelIcon name={panel.icon} />
      <span className={styles.words}>
        <span className={styles.name}>{panel.name}</span>
        <span className={styles.description}>{obstacle ?? panel.description}</span>
      </span>
    </AriaButton>
  )
}
