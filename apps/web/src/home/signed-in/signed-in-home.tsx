import type { Person } from '@patchbay/contracts/identity'
import { LayoutPanelLeft } from 'lucide-react'
import { useCallback } from 'react'
import { ButtonLink } from '../../components/button-link.tsx'
import { Link } from '../../components/link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Section } from '../../parts/section.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { FirstSteps } from './first-steps.tsx'
import { SampleWorkspace } from './sample-workspace.tsx'
import { fetchHome, type RecentWorkspace } from './signed-in.api.ts'
import styles from './signed-in.module.css'
import { words } from './words.tsx'

/** Where somebody who is signed in goes on. */
export function SignedInHome({ person }: { person: Person }) {
  const load = useCallback((signal: AbortSignal) => fetchHome(person.handle, signal), [person.handle])
  const { answer, reload } = useLoaded(load)
  return (
    <>
      {answer.state === 'loading' && <Skeleton label={words.loading} lines={6} />}
      {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      {answer.state === 'loaded' && (
        <>
          <Section
            id="recent"
            title={words.recent.title}
            lead={words.recent.lead}
            action={
              answer.value.recent.length > 0 && <ButtonLink href="/workspaces">{words.recent.all}</ButtonLink>
            }
          >
            {answer.value.recent.length === 0 ? (
              <SampleWorkspace owner={person.handle} />
            ) : (
              <ul aria-label={words.recent.title} className={styles.recent}>
                {answer.value.recent.map((workspace) => (
                  <li key={`${workspace.owner}/${workspace.repo}`} className={styles.workspace}>
                    <Recent workspace={workspace} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <FirstSteps owner={person.handle} done={answer.value.done} />
        </>
      )}
      <Section id="news" title={words.news.title} lead={words.news.lead}>
        <ul aria-label={words.news.title} className={styles.news}>
          {words.news.items.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong> {text}
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function Recent({ workspace: { owner, repo, tabs, changedAt } }: { workspace: RecentWorkspace }) {
  return (
    <>
      <LayoutPanelLeft aria-hidden className={styles.icon} />
      <Link variant="quiet" href={`/workspaces/${owner}/${repo}`}>
        {owner}
        {'/'}
        <wbr />
        {repo}
      </Link>
      <span className={styles.fact}>
        {tabs === 0 ? words.recent.empty : words.recent.panels(tabs)}
        {' · '}
        {words.recent.changed(<When at={changedAt} />)}
      </span>
    </>
  )
}
