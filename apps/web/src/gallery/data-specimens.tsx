import { Badge } from '../components/badge.tsx'
import { Card } from '../components/card.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Tabs } from '../components/tabs.tsx'
import type { Tone } from '../components/types.ts'
import { Columns, Specimen } from './specimen.tsx'

interface Version {
  readonly version: string
  readonly status: string
  readonly tone: Tone
  readonly tool: string
  readonly size: string
}

const VERSIONS: readonly Version[] = [
  { version: '2.1.0', status: 'stable', tone: 'ok', tool: '9.0 and later', size: '1.8 MB' },
  { version: '2.0.3', status: 'testing', tone: 'info', tool: '9.0 and later', size: '1.8 MB' },
  { version: '1.4.2', status: 'deprecated', tone: 'warning', tool: '7.0 to 8.99', size: '940 kB' },
]

const COLUMNS: readonly Column<Version>[] = [
  { id: 'version', header: 'Version', cell: ({ version }) => <code>{version}</code> },
  { id: 'status', header: 'Status', cell: ({ status, tone }) => <Badge tone={tone}>{status}</Badge> },
  { id: 'tool', header: 'Tool version', cell: ({ tool }) => tool },
  { id: 'size', header: 'Download', align: 'end', cell: ({ size }) => size },
]

const TABS = [
  { id: 'about', label: 'About', content: <p>What the package is for.</p> },
  { id: 'versions', label: 'Versions', content: <p>Every version, newest first.</p> },
  { id: 'used-by', label: 'Used by', content: <p>Who depends on it.</p>, isDisabled: true },
]

export function DataSpecimens() {
  return (
    <>
      <Specimen name="Table" use="Rows to read. It scrolls inside its frame on a narrow screen.">
        <DataTable caption="Versions" columns={COLUMNS} rows={VERSIONS} rowKey={({ version }) => version} />
        <DataTable
          caption="Sessions"
          columns={COLUMNS}
          rows={[]}
          rowKey={({ version }) => version}
          empty="No sessions."
        />
      </Specimen>
      <Specimen name="Tabs" use="Views of one thing. Arrow keys move between them.">
        <Tabs label="Package" tabs={TABS} />
      </Specimen>
      <Specimen name="Card" use="A thing of its own among others. Raised to work with, sunken to read.">
        <Columns>
          <Card>
            <p>Raised, medium padding</p>
          </Card>
          <Card surface="sunken" padding="sm">
            <p>Sunken, small padding</p>
          </Card>
        </Columns>
      </Specimen>
    </>
  )
}
