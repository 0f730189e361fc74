import { PackageOpen } from 'lucide-react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Lamp } from '../components/lamp.tsx'
import { Notice } from '../components/notice.tsx'
import { Progress } from '../components/progress.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Spinner } from '../components/spinner.tsx'
import { Columns, Row, Specimen } from './specimen.tsx'

export function FeedbackSpecimens() {
  return (
    <>
      <Specimen name="Notice" use="A message that stays where it belongs.">
        <Notice title="Screenshots need your permission">
          The script asked for one panel of this workspace.
        </Notice>
        <Notice tone="ok" title="The archive matches its checksum" />
        <Notice tone="warning" title="This version was not tested with your tool">
          It was published for 8.0; you run 9.0.
        </Notice>
        <Notice
          tone="danger"
          title="The archive does not match its checksum"
          action={<Button size="sm">Try again</Button>}
        >
          It was not installed.
        </Notice>
      </Specimen>
      <Specimen name="Badge" use="One word about a thing in a list.">
        <Row>
          <Badge>plugin</Badge>
          <Badge tone="accent">new</Badge>
          <Badge tone="info">testing</Badge>
          <Badge tone="ok">stable</Badge>
          <Badge tone="warning">deprecated</Badge>
          <Badge tone="danger">quarantined</Badge>
        </Row>
      </Specimen>
      <Specimen
        name="Lamp"
        use="Whether something runs right now. The words carry the meaning, not the color."
      >
        <Row isLoose>
          <Lamp state="ok" label="Answering" />
          <Lamp state="warning" label="Restarting" />
          <Lamp state="danger" label="Unreachable" />
          <Lamp state="off" label="Not wired in yet" />
        </Row>
      </Specimen>
      <Specimen
        name="Waiting"
        use="A skeleton where the shape is known, progress where the end is known, else a spinner."
      >
        <Row>
          <Spinner label="Loading, small" size="sm" />
          <Spinner label="Loading" />
          <Spinner label="Loading, large" size="lg" />
        </Row>
        <Columns>
          <Progress label="Uploading the archive" value={64} />
          <Progress label="Validating" />
          <Skeleton label="Loading the package" />
        </Columns>
      </Specimen>
      <Specimen name="Empty state" use="In place of an empty list: says why, and what to do next.">
        <EmptyState
          title="No packages match “stepper”"
          picture={<PackageOpen aria-hidden size={32} strokeWidth={1.5} />}
          actions={<Button>Clear the search</Button>}
        >
          Two match without the platform filter.
        </EmptyState>
      </Specimen>
    </>
  )
}
