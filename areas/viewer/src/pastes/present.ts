import { join } from 'node:path'
import { PASTE_FOLDER, type Paste, type PictureFile } from '@patchbay/contracts/viewer'
import type { StoredPaste } from '../ports.ts'

/** A paste as it is told to others. The address has no host: one page is at `localhost`, another at `127.0.0.1`. */
export function presentPaste(paste: StoredPaste, folder: string): Paste {
  const { source, namedBy } = paste
  return {
    id: paste.id,
    created_at: paste.createdAt.toISOString(),
    title: paste.title ?? null,
    state: paste.isNaming ? 'naming' : namedBy === undefined ? 'unnamed' : 'named',
    name: paste.name,
    named_by: namedBy ?? null,
    naming_note: paste.namingNote ?? null,
    can_undo: paste.earlier.length > 0,
    optimized: presentFile(paste.optimized, folder),
    original: presentFile(paste.original, folder),
    source: { type: source.type, bytes: source.bytes, file_name: source.fileName ?? null },
  }
}

function presentFile({ file, width, height, bytes }: StoredPaste['optimized'], folder: string): PictureFile {
  return {
    file,
    path: `${PASTE_FOLDER}/${file}`,
    absolute_path: join(folder, file),
    url: `/pastes/${file}`,
    width,
    height,
    bytes,
  }
}
