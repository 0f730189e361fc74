export { ARCHIVE_FOLDERS, folderOf, installedPath, isInstallable } from './archive-folders.ts'
export { extractArchive, type ExtractedFile, type ExtractOptions } from './extract/extract-archive.ts'
export { FolderRefused, type FolderRefusal } from './folder-refused.ts'
export {
  type ArchivedFile,
  inspectArchive,
  type Inspection,
  type InspectOptions,
} from './inspect/inspect-archive.ts'
export { ARCHIVE_LIMITS, type ArchiveLimits } from './limits.ts'
export type { LeftOut, LeftOutReason } from './pack/left-out.ts'
export { packFolder, type PackedArchive, type PackOptions } from './pack/pack-folder.ts'
export { ArchiveRefused, type ArchiveRefusal } from './refusal.ts'
export { readResourcesIcons } from './resources/read-resources-icons.ts'
export { type PackageIcon, writeResourcesZip } from './resources/write-resources-zip.ts'
