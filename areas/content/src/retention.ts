import { DOCUMENT_LIMITS, FILE_LIMITS } from '@patchbay/contracts/limits'
import type { RetentionOf } from '@patchbay/kernel/postgres'
import type { ContentTables } from './tables.ts'

export const QUOTA_SETTING = 'PATCHBAY_FILES_GIB_PER_OWNER'
const changes = FILE_LIMITS.changesKept.toLocaleString('en-US')

export const contentRetention: RetentionOf<ContentTables> = {
  contents: { bound: 'one row for each workspace; of a removed one until its files are deleted' },
  content_files: { bound: `${FILE_LIMITS.files.toLocaleString('en-US')} for each workspace` },
  content_changes: { bound: `the last ${changes} of each workspace` },
  content_versions: { bound: `what the last ${changes} changes of each workspace left of each path` },
  content_blobs: {
    keptFor:
      'as long as a file or its history names them, 1 day otherwise; so many bytes for each owner as are set',
    setting: QUOTA_SETTING,
  },
  content_quotas: { bound: 'one row for each owner whose quota an operator has set' },
  content_documents: { keptFor: '1 day after the last edit; one for each file at most' },
  content_edits: {
    keptFor: `1 hour once the file has them; ${DOCUMENT_LIMITS.unsavedEdits.toLocaleString('en-US')} of a document before that`,
  },
  content_deletions: { bound: 'one for each content that is being deleted' },
}
