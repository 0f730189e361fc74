import type { LucideIcon } from 'lucide-react'
import { Unplugged } from '../brand/unplugged.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import type { ServiceId } from '../home/services.ts'
import { Page } from '../shell/page.tsx'
import styles from './outlook.module.css'

interface OutlookProps {
  /** The service that the area belongs to. */
  service: ServiceId
  title: string
  lead: string
  /** What is missing, as a whole sentence. */
  missing: string
  why: string
  /** What people will do here. */
  plans: readonly { readonly Icon: LucideIcon; readonly name: string; readonly text: string }[]
}

/** The page of an area whose service is not part of the installation: says so, and what it will hold. */
export function Outlook({ service, title, lead, missing, why, plans }: OutlookProps) {
  return (
    <Page title={title} lead={lead}>
      <EmptyState
        title={missing}
        picture={<Unplugged cable={service} />}
        actions={<ButtonLink href="/#services">What each service does</ButtonLink>}
      >
        {why}
      </EmptyState>
      <section aria-labelledby="plans-heading" className={styles.plans}>
        <h2 id="plans-heading" className={styles.heading}>
          What you will do here
        </h2>
        <ul className={styles.list}>
          {plans.map(({ Icon, name, text }) => (
            <li key={name} className={styles.plan}>
              <Icon aria-hidden className={styles.icon} />
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  )
}
