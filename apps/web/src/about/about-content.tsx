import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Lamp } from '../components/lamp.tsx'
import { Notice } from '../components/notice.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { describeFailure } from '../errors/failure.ts'
import { type About, fetchAbout } from './about.api.ts'
import styles from './about-content.module.css'
import { words } from './words.ts'

export function AboutContent() {
  const [attempt, setAttempt] = useState(0)
  return <Answer key={attempt} retry={() => setAttempt(attempt + 1)} />
}

function Answer({ retry }: { retry: () => void }) {
  const about = useAbout()
  if (about.state === 'known') return <Facts about={about.about} />
  if (about.state === 'failed') return <Failure error={about.error} retry={retry} />
  return <Skeleton label={words.checking} lines={5} />
}

function Facts({ about }: { about: About }) {
  const created = new Date(about.installation.created_at)
  return (
    <div className={styles.content}>
      <Lamp state="ok" label={words.online} />
      <dl className={styles.facts}>
        <dt>{words.product}</dt>
        <dd>{about.name}</dd>
        <dt>{words.version}</dt>
        <dd>{about.version}</dd>
        <dt>{words.node}</dt>
        <dd>{about.node}</dd>
        <dt>{words.installed}</dt>
        <dd>
          <time dateTime={about.installation.created_at}>
            {created.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })}
          </time>
        </dd>
      </dl>
      <CopyField label={words.installationId} value={about.installation.id} />
    </div>
  )
}

function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const { title, detail } = describeFailure(error)
  return (
    <div className={styles.content}>
      <Notice
        title={title}
        tone="danger"
        isLive
        action={
          <Button size="sm" icon={<RotateCw aria-hidden />} onPress={retry}>
            {words.refresh}
          </Button>
        }
      >
        {detail}
      </Notice>
    </div>
  )
}

type AboutState =
  | { readonly state: 'loading' }
  | { readonly state: 'known'; readonly about: About }
  | { readonly state: 'failed'; readonly error: unknown }

/** Asks the server once, when the component that uses it is first shown. */
function useAbout(): AboutState {
  const [about, setAbout] = useState<AboutState>({ state: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    fetchAbout(stop.signal).then(
      (known) => setAbout({ state: 'known', about: known }),
      (error: unknown) => {
        // Aborted means closed: nobody is left to be told.
        if (!stop.signal.aborted) setAbout({ state: 'failed', error })
      },
    )
    return () => stop.abort()
  }, [])
  return about
}
