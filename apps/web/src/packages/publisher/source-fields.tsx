import { VISIBILITIES } from '@patchbay/contracts/registry'
import { Select } from '../../components/select.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ArchiveField } from './archive-field.tsx'
import styles from './publish-dialog.module.css'
import { fileFault, type SourceDraft, sha256Fault, urlFault } from './source-draft.ts'
import { words } from './words.tsx'

const OPTIONS = [
  { id: 'public', label: words.visibility.public },
  { id: 'private', label: words.visibility.private },
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
        label={words.source.label}
        isDisabled={isDisabled}
        selectedKey={draft.from}
        onSelectionChange={(key) => change({ ...draft, from: key === 'url' ? 'url' : 'file' })}
        tabs={[
          {
            id: 'file',
            label: words.source.fromFile,
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
            label: words.source.fromUrl,
            content: <AddressFields draft={draft} isDisabled={isDisabled} change={change} />,
          },
        ]}
      />
      <Select
        label={words.visibility.label}
        description={words.visibility.hint}
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
        label={words.source.url}
        description={words.source.urlHint}
        placeholder={words.source.urlExample}
        type="url"
        maxLength={2000}
        isRequired
        isDisabled={isDisabled}
        value={draft.url}
        onChange={(url) => change({ ...draft, url })}
        errorMessage={urlFault(draft.url)}
      />
      <TextField
        label={words.source.sha256}
        description={words.source.sha256Hint}
        isMono
        isDisabled={isDisabled}
        value={draft.sha256}
        onChange={(sha256) => change({ ...draft, sha256 })}
        errorMessage={sha256Fault(draft.sha256)}
      />
    </div>
  )
}
