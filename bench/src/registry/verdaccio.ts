import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { temporaryFolder } from '../processes.ts'

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
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(await temporaryFolder())
  const config = join(folder.path, 'config.yaml')
  await writeFile(config, NO_UPLINKS)
  const port = await freePort()
  const args = [VERDACCIO, '--config', config, '--listen', `127.0.0.1:${port}`]
  const env = { PATH, HOME, NODE_ENV: 'production' }
  const { pid } = starting.use(startProcess(process.execPath, args, { cwd: folder.path, env }))
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil('verdaccio listens', answers, { deadlineMs: 60_000 })
  const paths: string[] = []
  for (const [index, archive] of archives.entries())
    paths.push(await publishTarball(port, `archive-${index}`, archive))
  const running = starting.move()
  return { port, pid, paths, [Symbol.asyncDispose]: () => running.disposeAsync() }
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
