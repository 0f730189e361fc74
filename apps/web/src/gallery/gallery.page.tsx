import { Zap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import { Page } from '../shell/page.tsx'
import { ActionSpecimens } from './action-specimens.tsx'
import { ColorSpecimens } from './color-specimens.tsx'
import { DataSpecimens } from './data-specimens.tsx'
import { FeedbackSpecimens } from './feedback-specimens.tsx'
import { FieldSpecimens } from './field-specimens.tsx'
import styles from './gallery.module.css'
import { OverlaySpecimens } from './overlay-specimens.tsx'
import { Row, Specimen } from './specimen.tsx'

/** Every component in every state: what pages are built from, and where a change to one is looked at. */
export function GalleryPage() {
  return (
    <Page
      title="Components"
      lead="What the pages of Patchbay are built from, in every state. A reference for contributors."
    >
      <Group name="Actions">
        <ActionSpecimens />
      </Group>
      <Group name="Fields">
        <FieldSpecimens />
      </Group>
      <Group name="Feedback">
        <FeedbackSpecimens />
      </Group>
      <Group name="Data">
        <DataSpecimens />
      </Group>
      <Group name="Overlays">
        <OverlaySpecimens />
      </Group>
      <Group name="Identity">
        <ColorSpecimens />
      </Group>
      <Group name="Instruments">
        <Specimen name="Instruments" use="What panels of devices are built from, on a page of their own.">
          <Row>
            <Link variant="onward" href="/components/instruments">
              All instruments
            </Link>
          </Row>
        </Specimen>
      </Group>
      <Group name="Faults">
        <FaultSpecimen />
      </Group>
    </Page>
  )
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2 className={styles.name}>{name}</h2>
      {children}
    </section>
  )
}

/** Throws while rendering, as a bug in a page would: the only honest way to see the page that catches it. */
function FaultSpecimen() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('The gallery was broken on purpose')
  return (
    <Specimen name="Broken page" use="What people see when a page throws. The shell around it keeps working.">
      <Row>
        <Button variant="danger" icon={<Zap aria-hidden />} onPress={() => setBroken(true)}>
          Break this page
        </Button>
      </Row>
    </Specimen>
  )
}
