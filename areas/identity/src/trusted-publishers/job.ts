import type { CiTokenRefusal } from '@patchbay/contracts/identity'
import type { CiServiceSettings } from '../deps.ts'

/** What a CI service says of a job, in one spelling for all services. */
export interface Job {
  readonly repository: string
  /** Stays the same when a repository is renamed, and differs when somebody else takes a name that became free. */
  readonly repositoryId: string
  readonly ref: string
  readonly commit: string
  /** Where the workflow is defined, such as `acme/lamp/.github/workflows/release.yml@refs/heads/main`. */
  readonly workflow: string
  readonly environment: string | undefined
  readonly runUrl: string
}

/** What somebody has allowed. */
export interface Trust {
  readonly repository: string
  readonly repository_id: string | null
  readonly ref: string
  readonly workflow: string | null
  readonly environment: string | null
}

type Claims = Readonly<Record<string, unknown>>

/** How a kind of service spells it. */
interface Dialect {
  /** Started by what strangers send, with the rights of the repository: its code is not the branch's alone. */
  readonly refusedEvents: ReadonlySet<string>
  readonly event: string
  readonly repository: string
  readonly repositoryId: string
  readonly commit: string
  readonly workflow: string
  refOf(claims: Claims): string | undefined
  /** What stands in front of `@` in the claim, for a file of the repository. */
  workflowOf(repository: string, file: string): string
  runOf(site: string, repository: string, claims: Claims): string
}

const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com'

const DIALECTS: Readonly<Record<CiServiceSettings['kind'], Dialect>> = {
  github: {
    refusedEvents: new Set(['pull_request_target', 'workflow_run']),
    event: 'event_name',
    repository: 'repository',
    repositoryId: 'repository_id',
    commit: 'sha',
    workflow: 'workflow_ref',
    refOf: (claims) => textOf(claims, 'ref'),
    workflowOf: (repository, file) => `${repository}/${file}`,
    runOf: (site, repository, claims) =>
      `${site === GITHUB_ISSUER ? 'https://github.com' : site}/${repository}/actions/runs/${textOf(claims, 'run_id') ?? ''}`,
  },
  gitlab: {
    refusedEvents: new Set(['merge_request_event', 'external_pull_request_event']),
    event: 'pipeline_source',
    repository: 'project_path',
    repositoryId: 'project_id',
    commit: 'sha',
    workflow: 'ci_config_ref_uri',
    refOf(claims) {
      const [name, kind] = [textOf(claims, 'ref'), textOf(claims, 'ref_type')]
      if (name === undefined) return undefined
      if (kind === 'branch') return `refs/heads/${name}`
      return kind === 'tag' ? `refs/tags/${name}` : undefined
    },
    workflowOf: (repository, file) => `${repository}//${file}`,
    runOf: (site, repository, claims) =>
      `${site}/${repository}/-/pipelines/${textOf(claims, 'pipeline_id') ?? ''}`,
  },
}

/** What the claims of a token that has been verified say; a refusal where they do not say enough. */
export function readJob(
  { kind, issuer }: Pick<CiServiceSettings, 'kind' | 'issuer'>,
  claims: Claims,
): Job | CiTokenRefusal {
  const dialect = DIALECTS[kind]
  const event = textOf(claims, dialect.event)
  const repository = textOf(claims, dialect.repository)
  const repositoryId = textOf(claims, dialect.repositoryId)
  const ref = dialect.refOf(claims)
  const commit = textOf(claims, dialect.commit)
  const workflow = textOf(claims, dialect.workflow)
  if (
    event === undefined ||
    repository === undefined ||
    repositoryId === undefined ||
    ref === undefined ||
    commit === undefined ||
    workflow === undefined
  )
    return 'token'
  if (dialect.refusedEvents.has(event)) return 'event'
  return {
    repository,
    repositoryId,
    ref,
    commit,
    workflow,
    environment: textOf(claims, 'environment'),
    // GitLab's issuer is its site; that of a GitHub of one's own lies below its site.
    runUrl: dialect.runOf(new URL(issuer).origin, repository, claims),
  }
}

/**
 * The first of them that the job fits; otherwise what did not fit the one that came closest, so that whoever set it up finds
 * their slip. A name that somebody else has taken over fits nothing.
 */
export function findTrust<T extends Trust>(
  kind: CiServiceSettings['kind'],
  trusts: readonly T[],
  job: Job,
): T | CiTokenRefusal {
  let left = trusts
  let refusal: CiTokenRefusal = 'publisher'
  for (const [reason, fits] of CONDITIONS) {
    if (left.length === 0) return refusal
    left = left.filter((trust) => fits(trust, job, kind))
    refusal = reason
  }
  return left[0] ?? refusal
}

type Condition = (trust: Trust, job: Job, kind: CiServiceSettings['kind']) => boolean

const CONDITIONS: readonly (readonly [CiTokenRefusal, Condition])[] = [
  [
    'repository',
    (trust, job) =>
      isSameName(trust.repository, job.repository) &&
      (trust.repository_id === null || trust.repository_id === job.repositoryId),
  ],
  ['ref', ({ ref }, job) => (ref.endsWith('*') ? job.ref.startsWith(ref.slice(0, -1)) : job.ref === ref)],
  ['workflow', ({ workflow }, job, kind) => workflow === null || isDefinedBy(kind, workflow, job)],
  ['environment', ({ environment }, job) => environment === null || environment === job.environment],
]

function isDefinedBy(kind: CiServiceSettings['kind'], file: string, { repository, workflow }: Job): boolean {
  const wanted = `${DIALECTS[kind].workflowOf(repository, file)}@`
  // GitLab puts its own host in front.
  return (
    workflow.startsWith(wanted) ||
    (kind === 'gitlab' && workflow.split('/').slice(1).join('/').startsWith(wanted))
  )
}

/** The services take both for the same repository. */
function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

const LONGEST = 500
const SHOWN = /^[^\p{C}]+$/u

/** Numbers are ids. What a person could not read is nothing. */
function textOf(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && text.length <= LONGEST && SHOWN.test(text) ? text : undefined
}
