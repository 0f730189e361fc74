// What `patchbay install` does between the address of an archive and a checked file on disk.
import { openRepository } from '@patchbay/package-manager'
import { serveParent } from '../gateway/worker.ts'

export interface DownloadOrder {
  readonly repositoryUrl: string
  readonly archiveUrl: string
  readonly sha256: string
  readonly size: number
  readonly into: string
  readonly cacheFolder: string
}

export type DownloadClient = {
  download(order: DownloadOrder): Promise<string>
}

interface Downloading {
  downloadArchive(
    archive: { readonly stream: AsyncIterable<Uint8Array> },
    path: string,
    expected: {
      readonly identifier: string
      readonly sha256: string
      readonly size: number
      readonly maxBytes: number
    },
  ): Promise<string>
}

/** Inside the package manager: installing the archive afterwards is not measured here. */
const DOWNLOADING = new URL(
  '../../../packages/package-manager/src/install/stage/download-archive.ts',
  import.meta.url,
)

const commands: DownloadClient = {
  async download({ repositoryUrl, archiveUrl, sha256, size, into, cacheFolder }) {
    const downloading = (await import(DOWNLOADING.href)) as Downloading
    const repository = openRepository({ url: repositoryUrl }, { cacheFolder })
    const version = {
      version: '1.0.0',
      status: 'stable',
      tool_version: '8.0',
      download_url: archiveUrl,
      download_sha256: sha256,
      download_size: size,
    } as const
    const { stream } = await repository.openDownload(version, { isHashedByCaller: true })
    return await downloading.downloadArchive({ stream }, into, {
      identifier: 'bench',
      sha256,
      size,
      maxBytes: size,
    })
  },
}

serveParent(commands)
