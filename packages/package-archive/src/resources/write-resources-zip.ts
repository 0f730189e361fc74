import { IDENTIFIER_PATTERN } from '@patchbay/package-format'
import { findIconFault } from '../inspect/png.ts'
import { RESOURCES_LIMITS } from '../limits.ts'
import { NameTable } from '../name/name-table.ts'
import { FIXED_FIELDS, writeZip } from '../pack/write-zip.ts'
import { openArchive } from '../zip/open-archive.ts'

export interface PackageIcon {
  readonly identifier: string
  readonly icon: Uint8Array
}

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)

/** The icons of a package list as existing tools read them. Stored as they are: PNG is compressed already. */
export async function writeResourcesZip(icons: Iterable<PackageIcon>, out: string): Promise<void> {
  const names = new NameTable()
  const sorted = [...icons].toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1))
  for (const { identifier, icon } of sorted) {
    const fault = IDENTIFIER.test(identifier)
      ? (names.add(`${identifier}/icon.png`, 'file')?.message ??
        findIconFault(icon, RESOURCES_LIMITS.maxIconBytes))
      : 'is not an identifier'
    if (fault !== undefined) throw new TypeError(`the icon of ${JSON.stringify(identifier)} ${fault}`)
  }
  await writeZip(
    out,
    (zip) => {
      for (const { identifier, icon } of sorted)
        zip.addBuffer(Buffer.from(icon.buffer, icon.byteOffset, icon.byteLength), `${identifier}/icon.png`, {
          ...FIXED_FIELDS,
          compress: false,
        })
    },
    async (file) => {
      await using _readable = await openArchive(file, RESOURCES_LIMITS)
    },
  )
}
