import { X } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { Skeleton } from '../../../components/skeleton.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { Switch } from '../../../components/switch.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelHost } from '../../panel-definition.ts'
import { ChangeFacts } from '../files/file-history.tsx'
import { useHistory } from '../files/use-history.ts'
import styles from './board.module.css'
import { shortText } from './part-details.tsx'
import type { Comparison } from './use-comparison.ts'
import { words } from './words.ts'

interface ChangeListProps {
  host: PanelHost
  path: string
  tag: string
  comparison: Comparison
  compare: (revision: number | undefined) => void
  isSideBySide: boolean
  setSideBySide: (isSideBySide: boolean) => void
  select: (reference: string) => void
}

const MOST_SHOWN = 300

/** Versions to compare with, and what is different. */
export function ChangeList(props: ChangeListProps) {
  const { host, path, tag, comparison, compare, isSideBySide, setSideBySide, select } = props
  if (comparison.status === 'none') return <Versions key={tag} host={host} path={path} compare={compare} />
  return (
    <div className={styles.search}>
      <Switch isSelected={isSideBySide} onChange={setSideBySide}>
        {words.changes.sideBySide}
      </Switch>
      {comparison.status === 'comparing' && <Spinner label={words.changes.comparing} />}
      {comparison.status === 'failed' && <FailureNotice error={comparison.error} />}
      {comparison.status === 'compared' && (
        <>
          <p className={styles.note}>
            {comparison.changes.added.length + comparison.changes.removed.length === 0
              ? words.changes.same
              : words.changes.colors}
          </p>
          <ul className={styles.nets}>
            {comparison.changes.parts.slice(0, MOST_SHOWN).map(({ reference, what }) => (
              <li key={`${what} ${reference}`}>
                <Button size="sm" variant="ghost" onPress={() => select(reference)}>
                  {`${shortText(reference, 40)} · ${words.changes[what]}`}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div>
        <Button size="sm" icon={<X aria-hidden />} onPress={() => compare(undefined)}>
          {words.changes.end}
        </Button>
      </div>
    </div>
  )
}

function Versions({ host, path, compare }: Pick<ChangeListProps, 'host' | 'path' | 'compare'>) {
  const { answer, reload } = useHistory(host.workspace, path, undefined)
  if (answer.state === 'loading') return <Skeleton label={words.changes.loading} lines={3} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  const earlier = answer.value.items.slice(1)
  return (
    <div className={styles.search}>
      <p className={styles.note}>{earlier.length === 0 ? words.changes.none : words.changes.text}</p>
      <ul className={styles.versions}>
        {earlier.map((change) => (
          <li key={change.revision}>
            <AriaButton className={classes(styles.version)} onPress={() => compare(change.revision)}>
              <ChangeFacts change={change} />
            </AriaButton>
          </li>
        ))}
      </ul>
    </div>
  )
}
