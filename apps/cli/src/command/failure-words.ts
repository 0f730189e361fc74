import { LoginError } from '@patchbay/client'
import { CredentialsFault } from '@patchbay/client/credentials'
import { Problem, UnexpectedResponse } from '@patchbay/contracts/core'
import { ArchiveRefused, FolderRefused } from '@patchbay/package-archive'
import { InstallFailure, RepositoryFailure } from '@patchbay/package-manager'
import { RepositoryBuildRefused } from '@patchbay/package-manager/repository'
import { TrustFailure } from '@patchbay/package-trust/verifying'
import { stripHidden } from '@patchbay/primitives/text'
import { Ending, EXIT } from '../account/ending.ts'
import { adviceFor, endingOf } from '../account/words.ts'
import { findingLines } from './findings.ts'
import { networkRefusal } from './network-words.ts'
import { problemWords } from './problem-words.ts'
import { Refusal } from './refusal.ts'
import { plainLines, sentence } from './sentence.ts'

/** Every failure as a sentence that says what to do. What is not known here is a bug, and says so. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Ending) return new Refusal(error.exitCode, 'failed', error.message)
  if (error instanceof Problem) return problemWords(error)
  if (error instanceof RepositoryFailure) return repositoryRefusal(error)
  if (error instanceof InstallFailure) return installRefusal(error)
  if (error instanceof ArchiveRefused) return archiveRefusal(error)
  if (error instanceof FolderRefused) return new Refusal(EXIT.failed, error.reason, plainLines(error.message))
  if (error instanceof RepositoryBuildRefused) return buildRefusal(error)
  if (error instanceof TrustFailure)
    return new Refusal(EXIT.failed, error.reason, sentence(error.message), { reason: error.reason })
  if (error instanceof UnexpectedResponse)
    return new Refusal(
      EXIT.unavailable,
      'unexpected_answer',
      `Something answers there, but not as Patchbay does: ${stripHidden(error.message)}.\nCheck the address of the server.`,
    )
  return (error instanceof Error ? systemRefusal(error) : undefined) ?? asBug(error)
}

function repositoryRefusal(failure: RepositoryFailure): Refusal {
  const lines = failure.findings.length === 0 ? [] : findingLines('', failure.findings).slice(0, 10)
  const { code, url, trustReason } = failure
  return new Refusal(
    failure.isPassing || code === 'repository_unanswered' ? EXIT.unavailable : EXIT.failed,
    code,
    [sentence(failure.message), ...lines].join('\n'),
    {
      ...(url === undefined ? {} : { url }),
      ...(trustReason === undefined ? {} : { reason: trustReason }),
    },
  )
}

const PASSING_INSTALL_FAILURES: Readonly<Record<string, number>> = {
  download_failed: EXIT.unavailable,
  locked: EXIT.notYet,
}

const INSTALL_ADVICE: Readonly<Record<string, readonly string[]>> = {
  no_compatible_version: [
    'Is the tool version right ("patchbay source target")? To install one anyway: "patchbay install IDENTIFIER@VERSION --force".',
  ],
}

/** What went wrong underneath is more telling than that something did. */
function installRefusal({ code, message, identifier, cause }: InstallFailure): Refusal {
  if (cause instanceof Ending) return refusalOf(cause)
  const isOurs = [Problem, RepositoryFailure, TrustFailure, ArchiveRefused].some(
    (kind) => cause instanceof kind,
  )
  if (isOurs) return refusalOf(cause)
  return new Refusal(
    PASSING_INSTALL_FAILURES[code] ?? EXIT.failed,
    code,
    [sentence(message), ...(INSTALL_ADVICE[code] ?? [])].join('\n'),
    identifier === undefined ? {} : { identifier },
  )
}

function archiveRefusal({ reason, message, entry, findings = [] }: ArchiveRefused): Refusal {
  const lines = findingLines('metadata.json', findings)
  return new Refusal(EXIT.failed, reason, [...lines, plainLines(message)].join('\n'), {
    ...(entry === undefined ? {} : { entry }),
    findings,
  })
}

const BUILD_OPTIONS: Readonly<Record<string, string>> = { nothing_to_publish: ' (--allow-empty)' }

function buildRefusal({ faults }: RepositoryBuildRefused): Refusal {
  const lines = faults.flatMap(({ source, message, findings, code }) =>
    findings.length === 0
      ? [`${stripHidden(source)}: ${plainLines(message)}${BUILD_OPTIONS[code] ?? ''}`]
      : findingLines(source.endsWith('.zip') ? source : `${source}/metadata.json`, findings),
  )
  const end = 'The repository was not built, and nothing was written. Correct these and build again.'
  return new Refusal(EXIT.failed, 'build_refused', [...lines, end].join('\n'), { faults })
}

const DISK_WORDS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}.\nCheck the path.`,
  ENOTDIR: (path) => `${path} is not a folder.`,
  EISDIR: (path) => `${path} is a folder; a file is needed.`,
  EACCES: (path) => `${path} may not be read or written by you.\nCheck whose it is.`,
  EPERM: (path) => `${path} may not be changed by you.\nCheck whose it is.`,
  EEXIST: (path) => `${path} is there already.\nMove it away, or name another one.`,
  ENOSPC: (path) => `The disk is full (${path}).\nFree some space and try again.`,
  EADDRINUSE: () => 'The port is taken by another program.\nName another one with --port; 0 takes any.',
}

function systemRefusal(error: Error): Refusal | undefined {
  if (error instanceof LoginError || error instanceof CredentialsFault) {
    const { exitCode, message } = endingOf(error, 'the server', adviceFor(undefined))
    return new Refusal(exitCode, 'not_signed_in', message)
  }
  const { code = '', path } = error as NodeJS.ErrnoException
  const words = DISK_WORDS[code]
  if (words !== undefined)
    return new Refusal(EXIT.failed, code.toLowerCase(), words(stripHidden(path ?? 'file')))
  return networkRefusal(error)
}

function asBug(error: unknown): Refusal {
  const what = error instanceof Error ? error.message : String(error)
  return new Refusal(
    EXIT.bug,
    'bug',
    `Something went wrong that should not have: ${stripHidden(what)}\nPlease report it.`,
  )
}
