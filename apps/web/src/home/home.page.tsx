import { ArrowDown, BookOpen } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { SERVICES } from '../brand/services.ts'
import { ButtonLink } from '../components/button-link.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useSession } from '../session/session-context.tsx'
import { useLoaded } from '../session/use-loaded.ts'
import { Page, useDocumentTitle } from '../shell/page.tsx'
import { words as shellWords } from '../shell/words.tsx'
import styles from './home.module.css'
import { PatchPanel } from './patch-panel.tsx'
import { ServiceCard } from './service-card.tsx'
import { fetchCompanions } from './services.api.ts'
import { words } from './words.tsx'

const SignedInHome = lazy(async () => ({
  default: (await import('./signed-in/signed-in-home.tsx')).SignedInHome,
}))

/** What Patchbay is, for strangers; where to go on, for those who are signed in. */
export function HomePage() {
  const { session } = useSession()
  // A page that changes under the eyes is worse than one that comes a moment later.
  if (session.state === 'loading') return null
  const person = session.state === 'known' ? session.person : null
  if (person === null) return <Introduction />
  return (
    <Page title={words.signedIn.title(person.display_name)} lead={words.signedIn.lead}>
      <Suspense fallback={<Skeleton label={words.signedIn.loading} lines={6} />}>
        <SignedInHome key={person.handle} person={person} />
      </Suspense>
    </Page>
  )
}

function Introduction() {
  useDocumentTitle(shellWords.product)
  const { answer: companions } = useLoaded(fetchCompanions)
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1 tabIndex={-1} className={styles.heading}>
            {words.hero.heading}
          </h1>
          <p className={styles.lead}>{words.hero.lead}</p>
          <div className={styles.actions}>
            <ButtonLink href="#services" variant="primary" size="lg" icon={<ArrowDown aria-hidden />}>
              {words.hero.services}
            </ButtonLink>
            <ButtonLink href="/docs/" target="_blank" size="lg" icon={<BookOpen aria-hidden />}>
              {words.hero.reference}
            </ButtonLink>
          </div>
        </div>
        <PatchPanel />
      </section>

      <section aria-labelledby="services" className={styles.section}>
        <header className={styles.sectionHeader}>
          <h2 id="services" tabIndex={-1}>
            {words.services.heading}
          </h2>
          <p>{words.services.lead}</p>
        </header>
        <div className={styles.services}>
          {SERVICES.map((service) => (
            <ServiceCard key={service.id} service={service} companions={companions} />
          ))}
        </div>
      </section>

      <section aria-labelledby="needs" className={styles.section}>
        <header className={styles.sectionHeader}>
          <h2 id="needs">{words.needs.heading}</h2>
        </header>
        <dl className={styles.needs}>
          {words.needs.list.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
