import { type ReactNode, useState } from 'react'
import { Link } from '../components/link.tsx'
import { Select } from '../components/select.tsx'
import { Page } from '../shell/page.tsx'
import type { ReadingState } from '../workspace/instruments/reading.ts'
import { ControlSpecimens } from './control-specimens.tsx'
import styles from './gallery.module.css'
import { LineSpecimens } from './line-specimens.tsx'
import { PlotSpecimens } from './plot-specimens.tsx'
import { ReadingSpecimens } from './reading-specimens.tsx'
import { SpaceSpecimens } from './space-specimens.tsx'

const STATES: readonly { id: ReadingState; label: string }[] = [
  { id: 'live', label: 'Live' },
  { id: 'stale', label: 'Stale' },
  { id: 'offline', label: 'Offline' },
  { id: 'none', label: 'No value yet' },
]

/** Every instrument in every state: what panels of devices are declared from. */
export function InstrumentsPage() {
  const [state, setState] = useState<ReadingState>('live')
  return (
    <Page
      title="Instruments"
      lead="What the panels of devices are built from. They are given values and know no device."
    >
      <p>
        <Link variant="onward" href="/components">
          All components
        </Link>
      </p>
      <Select
        label="State of all readings"
        options={STATES}
        value={state}
        onChange={(id) => setState(STATES.find((one) => one.id === id)?.id ?? 'live')}
      />
      <Group name="Readings">
        <ReadingSpecimens state={state} />
      </Group>
      <Group name="Controls">
        <ControlSpecimens state={state} />
      </Group>
      <Group name="Over time">
        <PlotSpecimens state={state} />
      </Group>
      <Group name="In space">
        <SpaceSpecimens state={state} />
      </Group>
      <Group name="Lines">
        <LineSpecimens state={state} />
      </Group>
    </Page>
  )
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={name}>
      <h2 className={styles.name}>{name}</h2>
      {children}
    </section>
  )
}
