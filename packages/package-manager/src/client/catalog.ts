import type { Package } from '@patchbay/package-format'
import { groupBy } from '../group-by.ts'
import { shownAddress } from './address.ts'
import { RepositoryFailure } from './failure.ts'
import type { RefreshOptions, RepositoryClient, Snapshot } from './source.ts'

export interface CatalogOptions {
  /** Which repository an identifier shall come from, by its address. It then comes from no other. */
  readonly prefer?: ReadonlyMap<string, string>
}

export interface CatalogEntry {
  readonly package: Package
  readonly repository: RepositoryClient
  readonly snapshot: Snapshot
}

/** An identifier that several repositories claim. */
export interface SharedIdentifier {
  readonly identifier: string
  /** The address of the one that it belongs to. */
  readonly chosen: string
  readonly passedOver: readonly string[]
}

export interface CatalogSnapshot {
  readonly entries: readonly CatalogEntry[]
  readonly shared: readonly SharedIdentifier[]
  readonly snapshots: readonly Snapshot[]
  /** Those that gave nothing, not even from the cache. */
  readonly unanswered: readonly { readonly url: string; readonly failure: unknown }[]
  /**
   * The entry to install from. Refuses when a repository that comes first did not answer: what it would have claimed
   * must not come from another one. Of a repository that was refused, it throws why.
   */
  find(identifier: string): CatalogEntry
}

export interface Catalog {
  refresh(options?: RefreshOptions): Promise<CatalogSnapshot>
}

/** Several repositories as one. An identifier belongs to the first one that claims it, in the order given. */
export function openCatalog(
  repositories: readonly RepositoryClient[],
  options: CatalogOptions = {},
): Catalog {
  return {
    async refresh(refreshOptions) {
      const answers = await Promise.all(
        repositories.map(async (repository) => ({
          repository,
          ...(await answerOf(repository, refreshOptions)),
        })),
      )
      return merge(answers, options)
    },
  }
}

interface RepositoryAnswer {
  readonly repository: RepositoryClient
  readonly snapshot?: Snapshot
  readonly failure?: unknown
}

async function answerOf(
  repository: RepositoryClient,
  options?: RefreshOptions,
): Promise<Omit<RepositoryAnswer, 'repository'>> {
  try {
    return { snapshot: await repository.refresh(options) }
  } catch (failure) {
    options?.signal?.throwIfAborted()
    // A broken repository goes on claiming what it was known to have. Nothing of that is installed.
    const cached = await repository.readCached().catch(() => undefined)
    if (cached === undefined) return { failure }
    return { snapshot: failure instanceof RepositoryFailure ? { ...cached, failure } : cached, failure }
  }
}

interface Claim {
  readonly identifier: string
  readonly answer: RepositoryAnswer
  /** Without one the package is quarantined there: it claims its identifier all the same. */
  readonly entry?: CatalogEntry
}

function merge(answers: readonly RepositoryAnswer[], { prefer }: CatalogOptions): CatalogSnapshot {
  const claims = groupBy(answers.flatMap(claimsOf), ({ identifier }) => keyOf(identifier))
  const preferred = new Map([...(prefer ?? [])].map(([identifier, url]) => [keyOf(identifier), url]))
  const chosen = new Map<string, Claim>()
  const shared: SharedIdentifier[] = []
  for (const [key, all] of claims) {
    const [first] = all
    if (first === undefined) continue
    // Where somebody says which one, no other one may answer, least of all while that one does not.
    const wish = preferred.get(key)
    const wanted = wish === undefined ? first : all.find(({ answer }) => answer.repository.url === wish)
    if (wanted !== undefined) chosen.set(key, wanted)
    const { identifier } = wanted ?? first
    const url = wish ?? first.answer.repository.url
    const passedOver = all.map(({ answer }) => answer.repository.url).filter((each) => each !== url)
    if (passedOver.length > 0) shared.push({ identifier, chosen: url, passedOver: [...new Set(passedOver)] })
  }
  const unanswered = answers.flatMap(({ snapshot, repository, failure }) =>
    snapshot === undefined ? [{ url: repository.url, failure }] : [],
  )
  return {
    entries: [...chosen.values()].flatMap(({ entry }) => entry ?? []),
    shared,
    snapshots: answers.flatMap(({ snapshot }) => snapshot ?? []),
    unanswered,
    find(identifier) {
      const claim = chosen.get(keyOf(identifier))
      refuseSilence(identifier, claim, answers, preferred.get(keyOf(identifier)))
      return entryOf(identifier, claim)
    },
  }
}

/** Somebody who could have claimed it was not heard. */
function refuseSilence(
  identifier: string,
  claim: Claim | undefined,
  answers: readonly RepositoryAnswer[],
  wish: string | undefined,
): void {
  const end = claim === undefined ? answers.length : answers.indexOf(claim.answer)
  const asked =
    wish === undefined ? answers.slice(0, end) : answers.filter(({ repository }) => repository.url === wish)
  const silent = asked.find(({ snapshot }) => snapshot === undefined)
  if (silent === undefined) return
  const advice = `${identifier} may be one of its packages; try again later, or name the repository to take it from`
  throw new RepositoryFailure('repository_unanswered', advice, {
    url: shownAddress(new URL(silent.repository.url)),
    cause: silent.failure,
  })
}

function entryOf(identifier: string, claim: Claim | undefined): CatalogEntry {
  if (claim === undefined) {
    throw new RepositoryFailure(
      'not_listed',
      `${identifier}: check the spelling, and where it shall come from`,
    )
  }
  const { failure, repository } = claim.answer
  // What a repository said before it was refused is good to know, not to install.
  if (failure !== undefined && !(failure instanceof RepositoryFailure && failure.isPassing)) throw failure
  if (claim.entry !== undefined) return claim.entry
  throw new RepositoryFailure(
    'package_broken',
    `${identifier}: tell whoever publishes it that it is broken`,
    {
      url: shownAddress(new URL(repository.url)),
    },
  )
}

function claimsOf(answer: RepositoryAnswer): Claim[] {
  const { repository, snapshot } = answer
  if (snapshot === undefined) return []
  return [
    ...snapshot.packages.map(
      (each): Claim => ({
        identifier: each.identifier,
        answer,
        entry: { package: each, repository, snapshot },
      }),
    ),
    ...snapshot.quarantined.flatMap(({ identifier }) =>
      identifier === undefined ? [] : [{ identifier, answer }],
    ),
  ]
}

/** Identifiers become folders, and some disks do not tell upper case from lower. */
function keyOf(identifier: string): string {
  return identifier.toLowerCase()
}
