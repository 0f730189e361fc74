import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess } from '@patchbay/testkit/processes'
import { listens } from '../gateway/side.ts'

export interface Verdaccio extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** Of the archives, in their order. */
  readonly paths: readonly string[]
}

const NO_UPLINKS = `
storage: ./storage
max_body_size: 300mb
web: { enable: false }
packages: { '**': { access: $all, publish: $all } }
log: { type: stdout, format: json, level: fatal }
`

/**
 * The registry that many teams run beside their design tools, with the same bytes as tarballs. It is no dependency of ours:
 * `VERDACCIO` names the program of one that is installed elsewhere; without it the column stays empty.
 */
export async function startVerdaccio(archives: readonly Buffer[]): Promise<Verdaccio | undefined> {
  const { VERDACCIO, PATH = '', HOME = '' } = process.env
  if (VERDACCIO === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-verdaccio-'))
  const config = join(folder, 'config.yaml')
  await writeFile(config, NO_UPLINKS)
  const port = await freePort()
  const running = startProcess(
    process.execPath,
    [VERDACCIO, '--config', config, '--listen', `127.0.0.1:${port}`],
    { cwd: folder, env: { PATH, HOME, NODE_ENV: 'production' } },
  )
  const dispose = async () => {
    await running.kill()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await listens(running, port)
    const paths: string[] = []
    for (const [index, archive] of archives.entries())
      paths.push(await publishTarball(port, `archive-${index}`, archive))
    return { port, pid: running.pid, paths, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function publishTarball(port: number, name: string, archive: Buffer): Promise<string> {
  const file = `${name}-1.0.0.tgz`
  const path = `/${name}/-/${file}`
  const dist = {
    shasum: createHash('sha1').update(archive).digest('hex'),
    tarball: `http://127.0.0.1:${port}${path}`,
  }
  const document = {
    _id: name,
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', dist } },
    _attachments: {
      [file]: {
        content_type: 'application/octet-stream',
        data: archive.toString('base64'),
        length: archive.byteLength,
      },
    },
  }
  const answer = await fetch(`http://127.0.0.1:${port}/${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  })
  if (!answer.ok) throw new Error(`verdaccio answered ${answer.status} ${await answer.text()}`)
  return path
}
