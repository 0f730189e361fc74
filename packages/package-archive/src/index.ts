export { ARCHIVE_FOLDERS, folderOf, installedPath, isInstallable } from './archive-folders.ts'
export { type ExtractedFile, type ExtractOptions, extractArchive } from './extract/extract-archive.ts'
export { type FolderRefusal, FolderRefused } from './folder-refused.ts'
export {
  type ArchivedFile,
  type Inspection,
  type InspectOptions,
  inspectArchive,
} from './inspect/inspect-archive.ts'
export { ARCHIVE_LIMITS, type ArchiveLimits } from './limits.ts'
export type { LeftOut, LeftOutReason } from './pack/left-out.ts'
export { type PackedArchive, type PackOptions, packFolder } from './pack/pack-folder.ts'
export { type ArchiveRefusal, ArchiveRefused } from './refusal.ts'
export { readResourcesIcons } from './resources/read-resources-icons.ts'
export { type PackageIcon, writeResourcesZip } from './resources/write-resources-zip.ts'
