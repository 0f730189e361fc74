import { VISIBILITIES } from '@patchbay/contracts/registry'
import { Select } from '../../components/select.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ArchiveField } from './archive-field.tsx'
import styles from './publish-dialog.module.css'
import { fileFault, type SourceDraft, sha256Fault, urlFault } from './source-draft.ts'

const OPTIONS = [
  { id: 'public', label: 'Public: anyone can find and install it' },
  { id: 'private', label: 'Private: only people with access' },
]

interface SourceFieldsProps {
  draft: SourceDraft
  isDisabled: boolean
  change: (draft: SourceDraft) => void
}

/** Where the archive comes from: this computer, or an address that the server fetches. */
export function SourceFields({ draft, isDisabled, change }: SourceFieldsProps) {
  return (
    <>
      <Tabs
        label="Archive"
        isDisabled={isDisabled}
        selectedKey={draft.from}
        onSelectionChange={(key) => change({ ...draft, from: key === 'url' ? 'url' : 'file' })}
        tabs={[
          {
            id: 'file',
            label: 'Upload a file',
            content: (
              <ArchiveField
                file={draft.file}
                fault={fileFault(draft.file)}
                choose={(file) => change({ ...draft, file })}
              />
            ),
          },
          {
            id: 'url',
            label: 'Fetch from a URL',
            content: <AddressFields draft={draft} isDisabled={isDisabled} change={change} />,
          },
        ]}
      />
      <Select
        label="Visibility"
        description="Applies to the first version; later versions keep the package’s visibility."
        options={OPTIONS}
        isDisabled={isDisabled}
        value={draft.visibility}
        onChange={(id) =>
          change({ ...draft, visibility: VISIBILITIES.find((each) => each === id) ?? 'public' })
        }
      />
    </>
  )
}

function AddressFields({ draft, isDisabled, change }: SourceFieldsProps) {
  return (
    <div className={styles.form}>
      <TextField
        label="URL of the zip file"
        description="The server fetches it once and keeps a copy."
        placeholder="https://example.com/blinky-1.0.0.zip"
        type="url"
        maxLength={2000}
        isRequired
        isDisabled={isDisabled}
        value={draft.url}
        onChange={(url) => change({ ...draft, url })}
        errorMessage={urlFault(draft.url)}
      />
      <TextField
        label="SHA-256"
        description="Optional. If set, any other file is rejected."
        isMono
        isDisabled={isDisabled}
        value={draft.sha256}
        onChange={(sha256) => change({ ...draft, sha256 })}
        errorMessage={sha256Fault(draft.sha256)}
      />
    </div>
  )
}
