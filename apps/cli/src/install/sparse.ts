import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NEUTRAL_BRAND, type Package } from '@patchbay/package-format'
import { validateText } from '@patchbay/package-format/validate'
import { RepositoryFailure } from '@patchbay/package-manager'
import { openTrustedIndex, TrustFailure } from '@patchbay/package-trust/verifying'
import type { Task } from '../command/run-task.ts'
import { pinsFolder, type SourceSettings } from './settings.ts'

const MOST_BYTES = 4 * 1024 * 1024
const ANSWER_WITHIN_MS = 30_000
const ATTEMPTS = 3
const PAUSE_MS = 300
/** A server signs within two seconds what it could not sign at once. */
const UNTIL_SIGNED_MS = 1_500
const UNSIGNED_YET: ReadonlySet<string> = new Set(['mix_and_match', 'not_listed'])

export interface SparseFiles {
  /** Fails unless the signatures hold, where a root is pinned. */
  check(): Promise<void>
  /** `undefined`: the server has no such package, or not for everybody. With a root, the signed index says so. */
  read(identifier: string): Promise<Package | undefined>
}

/** The metadata of single packages, as a server hands it out; with a root, only what its signatures name. */
export async function openSparse(
  task: Task,
  { url: server, trustRoot }: SourceSettings,
): Promise<SparseFiles> {
  const index =
    trustRoot === undefined
      ? undefined
      : openTrustedIndex({
          metadataUrl: `${server}/registry/tuf/`,
          cacheFolder: join(pinsFolder(task.surroundings), nameFor(server)),
          root: await readFile(trustRoot),
          fetch: (address, init) => fetch(address, { ...init, redirect: 'error' }),
        })

  async function readSigned(identifier: string): Promise<Package | undefined> {
    const path = `sparse/${NEUTRAL_BRAND}/${identifier}.json`
    const address = `${server}/registry/${path}`
    for (let attempt = 1; ; attempt += 1) {
      await index?.refresh({ signal: task.signal })
      const bytes = await readWithPatience(task, address)
      if (bytes === undefined) {
        await refuseWithheld(path)
        return undefined
      }
      try {
        await index?.check(path, bytes, { signal: task.signal })
        return packageIn(bytes, address)
      } catch (error) {
        // It was published a moment ago: the signatures of the next moment cover it.
        const isNewer = error instanceof TrustFailure && UNSIGNED_YET.has(error.reason)
        if (!isNewer || attempt >= ATTEMPTS) throw error
        await sleep(UNTIL_SIGNED_MS, undefined, { signal: task.signal })
      }
    }
  }

  /** Whoever can answer "not there" could otherwise send people to a source that they filled themselves. */
  async function refuseWithheld(path: string): Promise<void> {
    if ((await index?.find(path, { signal: task.signal })) === undefined) return
    throw new RepositoryFailure('untrusted', `the signed index lists ${path}, and it is not handed out`, {
      url: server,
      trustReason: 'withheld',
    })
  }

  return {
    read: readSigned,
    check: async () => void (await index?.refresh({ signal: task.signal })),
  }
}

function packageIn(bytes: Uint8Array, url: string): Package {
  const { packages } = validateText(Buffer.from(bytes).toString('utf8'), { urls: 'compat' })
  const value = packages[0]?.value
  if (value !== undefined) return value
  throw new RepositoryFailure('malformed', 'what the server says about the package is not valid', {
    url,
    findings: packages.flatMap((each) => each.findings),
  })
}

async function readWithPatience(task: Task, url: string): Promise<Uint8Array | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(task, url)
    } catch (error) {
      task.signal.throwIfAborted()
      const failure = asFailure(error, url)
      if (!(failure instanceof RepositoryFailure) || !failure.isPassing || attempt >= ATTEMPTS) throw failure
      await sleep(PAUSE_MS * attempt, undefined, { signal: task.signal })
    }
  }
}

async function readOnce({ signal }: Task, url: string): Promise<Uint8Array | undefined> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  })
  if (answer.status === 200) return await readBounded(answer, url)
  const isPatchbay = answer.headers.get('content-type')?.startsWith('application/problem+json') === true
  if (answer.status === 451 && isPatchbay) throw quarantined(await readBounded(answer, url), url)
  await answer.body?.cancel()
  if (answer.status === 404 && isPatchbay) return undefined
  if (answer.status === 429 || answer.status === 503)
    throw new RepositoryFailure('busy', 'try again in a minute', { url })
  if (answer.status >= 500) throw new RepositoryFailure('server_error', 'try again later', { url })
  throw new RepositoryFailure(
    'unexpected_status',
    `it answered ${answer.status}; is this a Patchbay server?`,
    {
      url,
      status: answer.status,
    },
  )
}

/** It keeps its name: from the next source it would be somebody else's. */
function quarantined(problem: Uint8Array, url: string): RepositoryFailure {
  const { reason } = JSON.parse(Buffer.from(problem).toString('utf8')) as { reason?: unknown }
  const advice = typeof reason === 'string' && reason !== '' ? reason : 'no reason was given'
  return new RepositoryFailure('package_quarantined', advice, { url: new URL(url).origin })
}

async function readBounded({ body }: Response, url: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > MOST_BYTES)
      throw new RepositoryFailure('too_large', 'no package has so much metadata', { url })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function asFailure(error: unknown, url: string): unknown {
  if (error instanceof RepositoryFailure || !(error instanceof Error)) return error
  const details = { url: new URL(url).origin, cause: error }
  if (error.name === 'TimeoutError') return new RepositoryFailure('timeout', 'try again later', details)
  const { code = 'no answer' } = (error.cause ?? {}) as NodeJS.ErrnoException
  return new RepositoryFailure('unreachable', `${code}; is the server running?`, details)
}

function nameFor(server: string): string {
  return createHash('sha256').update(server).digest('hex').slice(0, 32)
}
