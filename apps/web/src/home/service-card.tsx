import type { Companion, CompanionState } from '@patchbay/contracts/core'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { Jack } from '../brand/jack.tsx'
import type { Service, ServiceFact } from '../brand/services.ts'
import { Card } from '../components/card.tsx'
import { classes } from '../components/classes.ts'
import { Lamp } from '../components/lamp.tsx'
import { Link } from '../components/link.tsx'
import type { Answer } from '../session/use-loaded.ts'
import styles from './service-card.module.css'
import { words } from './words.tsx'

export type Companions = Answer<readonly CompanionState[]>

export function ServiceCard({ service, companions }: { service: Service; companions: Companions }) {
  return (
    <Card as="article">
      <div className={styles.card}>
        <header className={styles.header}>
          <Jack cable={service.id} size={36} />
          <h3 className={styles.name}>{service.name}</h3>
          <Lamp {...lampOf(service, companions)} />
        </header>
        <p className={styles.promise}>{service.promise}</p>
        <dl className={styles.facts}>
          {[{ name: words.service.users, value: service.users }, ...service.facts].map(
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
          {'programs' in service.place ? (
            <Programs programs={service.place.programs} companions={companions} />
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

/** What this server does itself runs as long as it answers; of the rest it tells what it sees. */
function lampOf({ place }: Service, { state, ...answer }: Companions): ComponentProps<typeof Lamp> {
  if (state === 'loading') return { state: 'off', label: words.service.checking }
  if (state === 'failed' || !('value' in answer))
    return { state: 'danger', label: words.service.notAnswering }
  if (!('programs' in place)) return { state: 'ok', label: words.service.running }
  const [main] = place.programs
  return answer.value.some(({ id, isRunning }) => id === main && isRunning)
    ? { state: 'ok', label: words.service.running }
    : { state: 'off', label: words.service.notRunning }
}

function Programs({ programs, companions }: { programs: readonly Companion[]; companions: Companions }) {
  const states = companions.state === 'loaded' ? companions.value : []
  const missing = states.filter(({ id, isRunning }) => programs.includes(id) && !isRunning)
  if (states.length === 0) return words.service.ownProgram
  if (missing.length === 0) return words.service.seen(programs)
  return missing.map(({ id, command }) => <p key={id}>{words.service.start(id, <code>{command}</code>)}</p>)
}

/** An address may wrap before a slash, and nowhere inside a name. */
function breakAtSlashes(address: string): ReactNode {
  return address.split('/').map((part, index) =>
    index === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>
        <wbr />
        {'/'}
        {part}
      </Fragment>
    ),
  )
}
