import { Fragment, type ReactNode } from 'react'
import { Jack } from '../brand/jack.tsx'
import { Card } from '../components/card.tsx'
import { classes } from '../components/classes.ts'
import { Lamp } from '../components/lamp.tsx'
import { Link } from '../components/link.tsx'
import type { Service, ServiceFact } from './services.ts'
import styles from './service-card.module.css'

export function ServiceCard({ service }: { service: Service }) {
  return (
    <Card as="article">
      <div className={styles.card}>
        <header className={styles.header}>
          <Jack cable={service.id} size={36} />
          <h3 className={styles.name}>{service.name}</h3>
          <Lamp
            state={service.isWired ? 'ok' : 'off'}
            label={service.isWired ? 'Wired in' : 'Not wired in yet'}
          />
        </header>
        <p className={styles.promise}>{service.promise}</p>
        <dl className={styles.facts}>
          {[{ name: 'For', value: service.users }, ...service.facts].map(
            ({ name, value, isLiteral = false }: ServiceFact) => (
              <div key={name} className={styles.fact}>
                <dt>{name}</dt>
                <dd className={classes(isLiteral && styles.literal)}>
                  {isLiteral ? breakAtSlashes(value) : value}
                </dd>
              </div>
            ),
          )}
        </dl>
        <div className={styles.place}>
          {'port' in service.place ? (
            `A process of its own, on port ${service.place.port}`
          ) : (
            <Link variant="onward" href={service.place.href}>
              {service.place.label}
            </Link>
          )}
        </div>
      </div>
    </Card>
  )
}

/** An address may wrap before a slash, and nowhere inside a name. */
function breakAtSlashes(address: string): ReactNode {
  return address.split('/').map((part, index) =>
    index === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>
        <wbr />/{part}
      </Fragment>
    ),
  )
}
