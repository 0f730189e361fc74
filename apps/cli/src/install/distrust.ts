import { RepositoryFailure } from '@patchbay/package-manager'
import { TrustFailure } from '@patchbay/package-trust/verifying'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import { sentence } from '../command/sentence.ts'
import type { SourceSettings } from './settings.ts'

const ASK = 'ask its operator before you go on'
const ON_THE_WAY = `Try again from another network; if it stays like this, ${ASK}.`

/** What it may mean, and what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  rollback: `Somebody on the way may be serving old files, or the server was set back to an old copy. ${ON_THE_WAY}`,
  freeze: `Somebody on the way may be keeping newer files from you, or nobody signs there anymore. ${ON_THE_WAY}`,
  mix_and_match: `It may be in the middle of a change: try again in a minute. If it stays like this, somebody may be changing files on the way: ${ASK}.`,
  not_listed: `It may be in the middle of a change: try again in a minute. If it stays like this, ${ASK}.`,
  withheld: `Somebody on the way may be hiding it. ${ON_THE_WAY}`,
  bad_signature: `The root that you pinned may be of another server, or somebody else signs. Ask its operator for 1.root.json on another way and add the source again.`,
}

/** A source whose signatures do not hold, by its name. What is no matter of trust stays as it is. */
export function distrustOf(source: SourceSettings, error: unknown): unknown {
  if (error instanceof RepositoryFailure && error.trustReason !== undefined)
    return refusalFor(source, error.trustReason, error.message)
  if (!(error instanceof TrustFailure)) return error
  if (error.reason !== 'unreachable') return refusalFor(source, error.reason, error.message)
  if (error.status === undefined || error.status >= 500 || error.status === 429)
    return new RepositoryFailure('unreachable', 'the signatures cannot be read; try again later', {
      url: source.url,
      cause: error,
    })
  return refusalFor(source, 'bad_signature', `its signatures are not there (${error.message})`)
}

function refusalFor({ name, url }: SourceSettings, reason: string, said: string): Refusal {
  const what = name === url ? name : `${name} (${url})`
  const advice = ADVICE[reason] ?? `Try again later; if it stays like this, ${ASK}.`
  return new Refusal(
    EXIT.failed,
    'untrusted',
    `${stripHidden(what)} was refused. ${sentence(said)}\n${advice} What is installed stays.`,
    { reason, source: name, url },
  )
}
