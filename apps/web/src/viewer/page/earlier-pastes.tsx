import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useLostFocus } from '../../parts/use-lost-focus.ts'
import { useValue } from '../../parts/use-value.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import { PastePlace } from './paste-place.tsx'
import styles from './pictures.module.css'

/** What lies in the project and was not taken in by this page, the newest first. */
export function EarlierPastes({ title }: { title: string }) {
  const { queue, pastes } = useViewer()
  const { entries, olderFrom } = useValue(pastes.list)
  const fault = useValue(pastes.fault)
  const own = new Set(
    useValue(queue.uploads).map(({ state }) => (state.step === 'saved' ? state.pasteId : undefined)),
  )
  const earlier = entries.filter(({ paste }) => !own.has(paste.id))
  const heading = useRef<HTMLHeadingElement>(null)
  const lostFocus = useLostFocus(heading)
  const more = useAction(async () => await pastes.readOlder())
  const isUnknown = olderFrom === undefined
  return (
    <section {...lostFocus} aria-labelledby="earlier" className={styles.section}>
      <h2 ref={heading} id="earlier" tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      {isUnknown && fault === undefined && <Skeleton label={words.earlier.loading} />}
      <FailureNotice error={fault} retry={() => void pastes.read()} />
      {!isUnknown && earlier.length === 0 && (
        <p className={styles.none}>{own.size > 1 ? words.earlier.nothingElse : words.earlier.none}</p>
      )}
      {earlier.length > 0 && (
        <ol aria-labelledby="earlier" className={styles.list}>
          {earlier.map((entry) => (
            <li key={entry.paste.id} data-picture className={styles.place}>
              <PastePlace entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <FailureNotice error={more.error} />
      {typeof olderFrom === 'string' && (
        <Button isPending={more.isPending} onPress={() => more.run()}>
          {words.earlier.showOlder}
        </Button>
      )}
    </section>
  )
}
