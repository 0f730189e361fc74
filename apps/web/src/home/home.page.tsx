import { ArrowDown, BookOpen } from 'lucide-react'
import { SERVICES } from '../brand/services.ts'
import { ButtonLink } from '../components/button-link.tsx'
import { useLoaded } from '../session/use-loaded.ts'
import { useDocumentTitle } from '../shell/page.tsx'
import styles from './home.module.css'
import { PatchPanel } from './patch-panel.tsx'
import { ServiceCard } from './service-card.tsx'
import { fetchCompanions } from './services.api.ts'

const NEEDS = [
  { name: 'PostgreSQL 15+', text: 'Holds everything that must outlive a restart.' },
  { name: 'Redis 7 or Valkey 8', text: 'Only when more than one node shares the work.' },
  { name: 'A folder or S3', text: 'Keeps archives, icons and screenshots.' },
]

export function HomePage() {
  useDocumentTitle('Patchbay')
  const { answer: companions } = useLoaded(fetchCompanions)
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1 tabIndex={-1} className={styles.heading}>
            Plug your tools into the hardware workspace
          </h1>
          <p className={styles.lead}>
            Patchbay is the extension platform for browser-based hardware design. It gives plugins, sign-ins,
            scripts and screenshots one dependable place to connect, on a server you run yourself.
          </p>
          <div className={styles.actions}>
            <ButtonLink href="#services" variant="primary" size="lg" icon={<ArrowDown aria-hidden />}>
              See the five services
            </ButtonLink>
            <ButtonLink href="/reference" target="_blank" size="lg" icon={<BookOpen aria-hidden />}>
              HTTP reference
            </ButtonLink>
          </div>
        </div>
        <PatchPanel />
      </section>

      <section aria-labelledby="services" className={styles.section}>
        <header className={styles.sectionHeader}>
          <h2 id="services" tabIndex={-1}>
            Five services, one panel
          </h2>
          <p>Each works on its own. The light shows whether it is running here.</p>
        </header>
        <div className={styles.services}>
          {SERVICES.map((service) => (
            <ServiceCard key={service.id} service={service} companions={companions} />
          ))}
        </div>
      </section>

      <section aria-labelledby="needs" className={styles.section}>
        <header className={styles.sectionHeader}>
          <h2 id="needs">What you need to run it</h2>
        </header>
        <dl className={styles.needs}>
          {NEEDS.map(({ name, text }) => (
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
