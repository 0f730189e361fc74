import { Zap } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Row, Specimen } from './specimen.tsx'

/** Throws while rendering, as a bug in a page would: the only honest way to see the page that catches it. */
export function FaultSpecimen() {
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
