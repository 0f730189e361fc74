import { Dialog } from '../../components/dialog.tsx'
import { words } from '../words.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { commandsWithKeys } from './commands.ts'
import { keysInWords, onMac } from './shortcut.ts'
import styles from './shortcut-sheet.module.css'

interface Row {
  readonly keys: string
  readonly label: string
}

/** All shortcuts: those of commands, and what keys do on tabs and borders. */
export function ShortcutSheet() {
  const { overlay } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const commands = commandsWithKeys(mayChange)
  const rowsOf = (isOfTab: boolean): Row[] =>
    commands
      .filter(({ keysIn }) => (keysIn === 'tab') === isOfTab)
      .map(({ keys, label }) => ({ keys: keysInWords(keys, onMac()), label }))
  const { onTabs, onBorders } = words.shortcuts
  return (
    <Dialog
      title={words.shortcuts.title}
      size="sm"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) overlay.set(undefined)
      }}
    >
      <Rows title={words.shortcuts.anywhere} rows={rowsOf(false)} />
      <Rows
        title={onTabs.title}
        rows={[...onTabs.rows, ...(mayChange ? onTabs.menu : []), ...rowsOf(true)]}
      />
      {mayChange && <Rows title={onBorders.title} rows={onBorders.rows} />}
    </Dialog>
  )
}

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section className={styles.group}>
      <h3 className={styles.title}>{title}</h3>
      <dl>
        {rows.map(({ keys, label }) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              <kbd className={styles.keys}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
