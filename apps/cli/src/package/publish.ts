import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Problem } from '@patchbay/contracts/core'
import { type Publication, postPackage, postPackageImport } from '@patchbay/contracts/registry'
import { EXIT } from '../account/ending.ts'
import { adviceFor } from '../account/words.ts'
import { findingLines } from '../command/findings.ts'
import { problemWords } from '../command/problem-words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { openAsTrustedPublisher } from '../registry/ci-key.ts'
import { openRegistry, type Registry } from '../registry/registry.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { tableOf } from '../terminal/table.ts'
import { inspectForPublishing } from './archive-report.ts'
import { packInto } from './pack.ts'
import { USUAL_BRAND } from './usual-brand.ts'

export interface PublishWords {
  readonly owner?: string
  readonly private?: boolean
  readonly trusted?: boolean
  readonly toolBrand?: string
  readonly server?: string
  readonly json?: boolean
}

/** A large archive over a slow line. */
const UPLOAD_WITHIN_MS = 15 * 60_000

/** `patchbay package publish`. What can be found out here is not sent. */
export async function publishPackage(task: Task, file: string, words: PublishWords): Promise<Outcome> {
  const isFolder = (await stat(file)).isDirectory()
  if (words.trusted === true && words.owner === undefined)
    throw new Refusal(
      EXIT.usage,
      'owner_missing',
      'Name the owner of the package with --owner: no person is signed in.',
    )
  // Somebody who is not signed in should not wait for the packing to be told so.
  const signedIn = words.trusted === true ? undefined : await openRegistry(task, words.server)
  const place = await mkdtemp(join(tmpdir(), 'patchbay-publish-'))
  try {
    const archive = isFolder ? join(place, 'archive.zip') : file
    const brands = [words.toolBrand ?? USUAL_BRAND]
    const { size, metadata } = isFolder
      ? await packInto(task, file, archive, words.toolBrand)
      : await inspectForPublishing(archive, brands)
    const owner = words.owner ?? (await signedIn?.findHandle()) ?? ''
    const registry =
      signedIn ??
      (await openAsTrustedPublisher(task, words.server, { owner, identifier: metadata.identifier }))
    const answer = await upload(task, registry, { archive, size, owner, isPrivate: words.private === true })
    return outcomeOf(answer, registry, words, isFolder ? `${file}/metadata.json` : file)
  } catch (error) {
    if (error instanceof Problem) throw problemWords(error, isFolder ? join(file, 'metadata.json') : file)
    throw error
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** `patchbay package import`. */
export async function importPackage(
  task: Task,
  url: string,
  words: PublishWords & { readonly sha256?: string },
): Promise<Outcome> {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new Refusal(
      EXIT.usage,
      'bad_address',
      'Name the address of the archive, such as https://example.com/blinky.zip.\nFor a file or a folder of yours it is "patchbay package publish".',
    )
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findHandle())
  using progress = task.progress('The server fetches the archive')
  progress.update(0)
  const answer = await registry.ask(
    postPackageImport,
    {
      params: { owner },
      body: {
        url,
        ...(words.sha256 === undefined ? {} : { sha256: words.sha256 }),
        visibility: words.private === true ? 'private' : 'public',
      },
    },
    { deadlineMs: UPLOAD_WITHIN_MS },
  )
  return outcomeOf(answer, registry, words, 'metadata.json')
}

interface Upload {
  readonly archive: string
  readonly size: number
  readonly owner: string
  readonly isPrivate: boolean
}

async function upload(task: Task, registry: Registry, { archive, size, owner, isPrivate }: Upload) {
  using progress = task.progress('Uploading')
  let sent = 0
  const body = Readable.toWeb(
    createReadStream(archive, { highWaterMark: 256 * 1024 }).on('data', (chunk) => {
      sent += chunk.length
      progress.update(sent, size)
    }),
  ) as ReadableStream<Uint8Array>
  return await registry.ask(
    postPackage,
    { params: { owner }, query: { visibility: isPrivate ? 'private' : 'public' }, upload: body },
    { deadlineMs: UPLOAD_WITHIN_MS },
  )
}

function outcomeOf(
  { status, body }: { readonly status: number; readonly body: Publication },
  { server }: Registry,
  words: PublishWords,
  file: string,
): Outcome {
  const { identifier, version, owner, visibility } = body
  const page = `${new URL(body.download_url).origin}/packages/${identifier}`
  const install = adviceFor(words.server === undefined ? undefined : server)(`install ${identifier}`).slice(
    1,
    -1,
  )
  const done = status === 201 ? 'Published' : 'Nothing to do: the server has exactly these bytes of'
  return {
    json: { ...body, is_new: status === 201, page_url: page, install_command: install },
    text: [
      ...findingLines(
        file,
        body.warnings.map((each) => ({ ...each, severity: 'warning' as const })),
      ),
      `${done} ${identifier} ${version} for ${owner} on ${server}${visibility === 'private' ? ', privately' : ''}.`,
      tableOf(
        [
          ['size', bytesInWords(body.download_size)],
          ['sha256', body.download_sha256],
          ['page', page],
          ['install', install],
        ],
        '  ',
      ),
      ...keptWords(visibility, words.private === true),
      ...(body.is_indexed ? [] : ['Feeds and search show it within seconds.']),
    ].join('\n'),
  }
}

/** Somebody who asked for the other one would believe that they got it. */
function keptWords(visibility: Publication['visibility'], isPrivate: boolean): string[] {
  if (visibility === (isPrivate ? 'private' : 'public')) return []
  return visibility === 'private'
    ? ['It stays private: a package keeps the visibility of its first version.']
    : ['It is PUBLIC: a package keeps the visibility of its first version, and --private counts then alone.']
}
