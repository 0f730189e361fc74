import { ARCHIVE_LIMITS } from '@patchbay/package-archive'

/** What installs packages opens nothing larger: such an archive could be published and never used. */
export const LARGEST_ARCHIVE_BYTES = ARCHIVE_LIMITS.maxArchiveBytes
