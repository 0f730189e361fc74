import type { ContentChange } from '@patchbay/contracts/content'
import { Download, RotateCcw } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ButtonLink } from '../../../components/button-link.tsx'
import { classes } from '../../../components/classes.ts'
import { Notice } from '../../../components/notice.tsx'
import { Select } from '../../../components/select.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { type Action, useAction } from '../../../server/use-action.ts'
import { useLoaded } from '../../../session/use-loaded.ts'
import { When } from '../../../time/when.tsx'
import type { PanelHost } from '../../panel-definition.ts'
import { fileAddress } from '../parts/files.api.ts'
import { explain, isChangedMeanwhile, isGone } from './explain.ts'
import { MOST_TEXT_BYTES, textOf } from './file-content.ts'
import { TextView } from './file-preview.tsx'
import { nameOf } from './file-tree.ts'
import styles from './files.module.css'
import { fetchContent } from './history.api.ts'
import type { FileActions } from './use-file-actions.ts'
import { useHistory } from './use-history.ts'
import { words } from './words.ts'

interface FileHistoryProps {
  host: PanelHost
  path: string
  /** Of the file now; none if it was deleted. */
  revision: number | undefined
  mayChange: boolean
  actions: FileActions
}

/** Who changed a file, when and why; what two versions of it differ in; and the way back to one. */
export function FileHistory({ host, path, revision, mayChange, actions }: FileHistoryProps) {
  const { answer, reload, more } = useHistory(host.workspace, path, revision)
  const items = answer.state === 'loaded' ? answer.value.items : []
  const [chosen, setChosen] = useState<number>()
  const place = Math.max(
    0,
    items.findIndex((change) => change.revision === chosen),
  )
  const shown = items[place]
  if (answer.state === 'loading') return <Skeleton label={words.history.loading} lines={4} />
  if (answer.state === 'failed')
    return (
      <div className={styles.message}>
        <FailureNotice error={answer.error} retry={reload} />
      </div>
    )
  return (
    <div className={styles.history}>
      <ol aria-label={words.history.versions} className={styles.versions}>
        {items.map((change, index) => (
          <li key={change.revision}>
            <AriaButton
              aria-pressed={index === place}
              className={classes(styles.version)}
              onPress={() => setChosen(change.revision)}
            >
              <ChangeFacts change={change}>
                {index === 0 && <Badge tone="info">{words.history.latest}</Badge>}
              </ChangeFacts>
            </AriaButton>
          </li>
        ))}
        <ShowMore more={more} />
      </ol>
      {shown !== undefined && (
        <Version
          key={`${shown.revision} ${items[0]?.revision}`}
          host={host}
          path={path}
          shown={shown}
          others={items.filter((change) => change !== shown)}
          before={items[place + 1]?.revision}
          latest={items[0]?.revision ?? shown.revision}
          isDeleted={revision === undefined}
          mayChange={mayChange}
          actions={actions}
        />
      )}
    </div>
  )
}

/** At the end of a list that has more. */
export function ShowMore({ more }: { more: Action<[]> | undefined }) {
  if (more === undefined) return null
  return (
    <li className={styles.showMore}>
      <Button size="sm" isPending={more.isPending} onPress={() => more.run()}>
        {words.history.more}
      </Button>
      <FailureNotice error={more.error} />
    </li>
  )
}

/** Who, when and why. */
export function ChangeFacts({ change, children }: { change: ContentChange; children?: ReactNode }) {
  const { revision, by, at, reason, author } = change
  return (
    <span className={styles.facts}>
      <span className={styles.factsTitle}>
        <strong>{author?.name ?? by.name}</strong> {children}
      </span>
      <span className={styles.factsMore}>
        <When at={author?.at ?? at} />
        <span>{words.history.version(revision)}</span>
        {author !== null && <span>{words.history.broughtBy(by.name)}</span>}
        {by.name !== by.handle && <span>{by.handle}</span>}
      </span>
      {reason !== null && <span className={styles.reason}>{words.history.reason(reason)}</span>}
    </span>
  )
}

interface VersionProps {
  host: PanelHost
  path: string
  shown: ContentChange
  others: readonly ContentChange[]
  /** The version before it, where there was one. */
  before: number | undefined
  /** The latest version that this page knows of, in which the file may have been deleted. */
  latest: number
  isDeleted: boolean
  mayChange: boolean
  actions: FileActions
}

const NOTHING = 'nothing'

function Version(props: VersionProps) {
  const { host, path, shown, others, before, latest, isDeleted, mayChange, actions } = props
  const [other, setOther] = useState(before === undefined ? NOTHING : String(before))
  const restoring = useAction((expected: number | null) => actions.restore(path, shown.revision, expected))
  const isChanged = isChangedMeanwhile(restoring.error)
  const options = [
    ...(before === undefined ? [{ id: NOTHING, label: words.history.nothing }] : []),
    ...others.map(({ revision, at, by }) => ({
      id: String(revision),
      label: words.history.option(revision, by.name, new Date(at)),
    })),
  ]
  return (
    <section aria-label={words.history.version(shown.revision)} className={styles.compared}>
      <div className={styles.compareBar}>
        <div className={styles.compareWith}>
          <Select
            label={words.history.compare}
            size="sm"
            options={options}
            value={other}
            onChange={(id) => setOther(String(id))}
          />
        </div>
        {!(isDeleted && shown.revision === latest) && (
          <ButtonLink
            size="sm"
            href={fileAddress(host.workspace, path, shown.revision)}
            download={nameOf(path)}
            icon={<Download aria-hidden />}
          >
            {words.history.download}
          </ButtonLink>
        )}
        {mayChange && shown.revision !== latest && (
          <Button
            size="sm"
            icon={<RotateCcw aria-hidden />}
            isPending={restoring.isPending}
            onPress={() => restoring.run(isDeleted ? null : latest)}
          >
            {words.history.restore}
          </Button>
        )}
      </div>
      {isChanged ? (
        <Notice
          title={words.changedMeanwhile.title}
          tone="warning"
          isLive
          action={
            <div className={styles.choices}>
              <Button size="sm" onPress={restoring.forget}>
                {words.changedMeanwhile.keepTheirs}
              </Button>
              <Button size="sm" onPress={() => restoring.run(revisionIn(restoring.error))}>
                {words.uploads.overwrite}
              </Button>
            </div>
          }
        >
          {words.changedMeanwhile.text(nameOf(path))}
        </Notice>
      ) : (
        <FailureNotice error={explain(restoring.error)} />
      )}
      <Difference
        host={host}
        path={path}
        from={other === NOTHING ? undefined : Number(other)}
        to={shown.revision}
        deletedIn={isDeleted ? latest : undefined}
      />
    </section>
  )
}

/** What is there now, as the refusal told it. */
function revisionIn(error: unknown): number | null {
  if (!isChangedMeanwhile(error)) return null
  const { current } = error.extensions as { readonly current?: { readonly revision: number } | null }
  return current?.revision ?? null
}

interface DifferenceProps {
  host: PanelHost
  path: string
  from: number | undefined
  to: number
  /** A version that is known to have no content: asking for it would be an error. */
  deletedIn: number | undefined
}

/** As text, where both are; a version in which the file was deleted has none. */
function Difference({ host, path, from, to, deletedIn }: DifferenceProps) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const read = async (revision: number | undefined) => {
        if (revision === undefined || revision === deletedIn) return ''
        const wanted = { path, revision, most: MOST_TEXT_BYTES }
        const bytes = await fetchContent(host.workspace, wanted, signal).catch((error: unknown) => {
          if (isGone(error)) return undefined
          throw error
        })
        return bytes === undefined ? '' : textOf(bytes)
      }
      const [before, text] = await Promise.all([read(from), read(to)])
      return before === undefined || text === undefined ? undefined : { before, text }
    },
    [host, path, from, to, deletedIn],
  )
  const { answer, reload } = useLoaded(load)
  if (answer.state === 'loading') return <Skeleton label={words.details.loading} lines={5} />
  if (answer.state === 'failed') return <FailureNotice error={explain(answer.error)} retry={reload} />
  if (answer.value === undefined) return <p className={styles.note}>{words.history.noText}</p>
  const { before, text } = answer.value
  if (before === text) return <p className={styles.note}>{words.history.same}</p>
  return (
    <Suspense fallback={<Skeleton label={words.details.loading} lines={5} />}>
      <div className={classes(styles.difference)}>
        <TextView
          label={words.history.differenceOf(path)}
          fileName={nameOf(path)}
          text={text}
          before={before}
        />
      </div>
    </Suspense>
  )
}
