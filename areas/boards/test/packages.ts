import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export interface LibraryPackage {
  readonly identifier: string
  readonly version: string
  readonly type?: string
  /** In the archive. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

export async function archiveOf({ identifier, version, type = 'library', files }: LibraryPackage) {
  const contact = { web: 'https://ada.example' }
  const metadata = {
    name: identifier,
    description: 'Of a test',
    description_full: 'Of a test.',
    identifier,
    type,
    author: { name: 'Ada', contact },
    license: 'MIT',
    resources: {},
    versions: [{ version, status: 'stable', tool_version: '9.0' }],
  }
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(JSON.stringify(metadata)), 'metadata.json')
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  return await buffer(zip.outputStream as AsyncIterable<Uint8Array>)
}
