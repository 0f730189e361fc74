import type { Problem, ProblemCode } from '@patchbay/contracts/core'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { findingLines, type ShownFinding } from './findings.ts'
import { Refusal } from './refusal.ts'

/** Refusals of the registry that a person can do something about. */
const ADVICE: Partial<Record<ProblemCode, readonly [exitCode: number, text: string]>> = {
  sign_in_required: [
    EXIT.failed,
    'You are not signed in to this server.\nRun "patchbay login", or set PATCHBAY_API_KEY to a key that may do this.',
  ],
  credential_invalid: [
    EXIT.failed,
    'The server rejected your credentials: the session has ended, or the key is not valid.\nRun "patchbay login" again, or check PATCHBAY_API_KEY.',
  ],
  not_permitted: [
    EXIT.failed,
    'You do not have permission to do this for that owner.\nName an owner whose packages you may change with --owner, or ask one of theirs.',
  ],
  identifier_taken: [
    EXIT.failed,
    'The identifier belongs to another owner.\nChoose another one in metadata.json, or publish with --owner for theirs.',
  ],
  version_exists: [
    EXIT.failed,
    'This version is published with other content, and published versions never change. Another platform, runtime or epoch makes no other version.\nRaise the version in metadata.json and publish that, one for each platform or runtime; or put all of them into one archive.',
  ],
  package_not_found: [
    EXIT.failed,
    'Package not found, or you do not have access to it.\nCheck the identifier.',
  ],
  body_too_large: [
    EXIT.failed,
    'The archive is larger than the server accepts.\nLeave something out, or ask its operator.',
  ],
  rate_limited: [EXIT.notYet, 'The server was asked too often from here.\nWait a minute and try again.'],
  database_unavailable: [
    EXIT.unavailable,
    'The server cannot reach its database right now.\nTry again later.',
  ],
  objects_unavailable: [EXIT.unavailable, 'The server cannot store files right now.\nTry again later.'],
  source_refused: [
    EXIT.failed,
    'The server is not allowed to fetch from this address.\nUse the public address of the archive.',
  ],
  source_unavailable: [
    EXIT.unavailable,
    'The server could not fetch the archive.\nCheck the address, or try again later.',
  ],
}

export function problemWords(problem: Problem, file = 'metadata.json'): Refusal {
  const { code, detail, extensions } = problem
  const findings = findingsIn(extensions)
  const [exitCode, text] = ADVICE[code] ?? [EXIT.failed, '']
  const said = stripHidden(detail ?? '')
  const lines =
    findings.length > 0
      ? [...findingLines(file, findings), 'The server refused the metadata, and nothing was published.']
      : text === ''
        ? [asSentence(said === '' ? problem.toJSON().title : said)]
        : [text, ...(said === '' ? [] : [`The server said: ${said}`])]
  return new Refusal(exitCode, code, lines.join('\n'), { ...extensions })
}

function findingsIn({ findings }: Readonly<Record<string, unknown>>): ShownFinding[] {
  if (!Array.isArray(findings)) return []
  return findings.flatMap((each: unknown) => {
    const { pointer, message, line, column, severity } = Object(each) as Record<string, unknown>
    if (typeof message !== 'string') return []
    return [
      {
        pointer: typeof pointer === 'string' ? pointer : '',
        message,
        ...(typeof line === 'number' ? { line } : {}),
        ...(typeof column === 'number' ? { column } : {}),
        ...(severity === 'warning' ? { severity } : {}),
      },
    ]
  })
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
