// What `patchbay install` does between the address of an archive and a checked file on disk.
import { writeFile } from 'node:fs/promises'
import { openRepository } from '@patchbay/package-manager'
import { serveParent } from '../processes.ts'

export type DownloadClient = {
  download(order: {
    readonly site: string
    readonly sha256: string
    readonly size: number
    readonly into: string
    readonly cacheFolder: string
  }): Promise<void>
}

serveParent({
  async download({ site, sha256, size, into, cacheFolder }) {
    const repository = openRepository({ url: `${site}/repository.json` }, { cacheFolder })
    const { stream } = await repository.openDownload({
      version: '1.0.0',
      status: 'stable',
      tool_version: '8.0',
      download_url: `${site}/archive.zip`,
      download_sha256: sha256,
      download_size: size,
    })
    await writeFile(into, stream)
  },
} satisfies DownloadClient)
