import { SIGN_UP_POLICIES } from '@patchbay/contracts/identity'
import {
  CI_KINDS,
  type CiServiceSettings,
  type IdentitySettings,
  type IssuerSettings,
} from '@patchbay/identity'
import { boolean, choice, integer, type Kind, withDefault } from '@patchbay/kernel/config'
import { Secret } from '@patchbay/kernel/log'

const DAY_SECONDS = 86_400

/** Holds client secrets, so none of its text is ever repeated. */
const issuerList: Kind<readonly IssuerSettings[]> = {
  accepts: 'JSON list of `{id, name, issuer, client_id, client_secret}`, kept secret',
  secret: true,
  parse: (text) => readList(text, readIssuer),
}

const ciServiceList: Kind<readonly CiServiceSettings[]> = {
  accepts: 'JSON list of `{id, name, issuer, kind}`, the kind being `github` or `gitlab`',
  parse: (text) => readList(text, readCiService),
}

function readList<Entry extends { readonly id: string }>(
  text: string,
  read: (entry: unknown, where: string) => Entry,
): Entry[] {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    throw new Error('is not valid JSON')
  }
  if (!Array.isArray(entries)) throw new Error('is not a list')
  const found = entries.map((entry: unknown, index) => read(entry, `entry ${index + 1}`))
  const ids = found.map(({ id }) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw new Error(`the id "${repeated}" is given twice`)
  return found
}

function readIssuer(entry: unknown, where: string): IssuerSettings {
  const { client_id, client_secret, ...rest } = Object(entry) as Record<string, unknown>
  const common = readCommon(rest, where)
  if (typeof client_id !== 'string' || client_id === '') throw new Error(`${where} needs a client_id`)
  if (client_secret !== undefined && (typeof client_secret !== 'string' || client_secret === ''))
    throw new Error(`${where} has a client_secret that is no text`)
  return {
    ...common,
    clientId: client_id,
    clientSecret: client_secret === undefined ? undefined : new Secret(client_secret),
  }
}

function readCiService(entry: unknown, where: string): CiServiceSettings {
  const { kind, ...rest } = Object(entry) as Record<string, unknown>
  const known = CI_KINDS.find((each) => each === kind)
  if (known === undefined) throw new Error(`${where} needs a kind: ${CI_KINDS.join(' or ')}`)
  return { ...readCommon(rest, where), kind: known }
}

/** What every issuer has, whatever it is for; anything else is a slip. */
function readCommon(
  { id, name, issuer, ...others }: Readonly<Record<string, unknown>>,
  where: string,
): Pick<IssuerSettings, 'id' | 'name' | 'issuer'> {
  const [unknownKey] = Object.keys(others)
  if (unknownKey !== undefined) throw new Error(`${where} has an unknown key "${unknownKey}"`)
  if (typeof id !== 'string' || !/^[a-z0-9-]{1,40}$/.test(id))
    throw new Error(`${where} needs an id of small letters, digits and hyphens`)
  if (typeof issuer !== 'string' || !/^https?:\/\/[^\s]+$/.test(issuer))
    throw new Error(`${where} needs the address of its issuer`)
  return { id, name: typeof name === 'string' && name !== '' ? name : id, issuer }
}

export const identitySettings = {
  issuers: withDefault(
    {
      variable: 'PATCHBAY_OIDC_ISSUERS',
      meaning:
        'OpenID Connect issuers that people can sign in with. The redirect URI to register there is `{public URL}/auth/oidc/{id}/callback`. None: passkeys alone.',
    },
    issuerList,
    [],
  ),
  ciServices: withDefault(
    {
      variable: 'PATCHBAY_CI_ISSUERS',
      meaning:
        'CI services whose jobs may publish packages without a stored key, where a package trusts them. GitHub: `{"id":"github","name":"GitHub","issuer":"https://token.actions.githubusercontent.com","kind":"github"}`; GitLab: its own address as the issuer. None: keys alone.',
    },
    ciServiceList,
    [],
  ),
  signUp: withDefault(
    {
      variable: 'PATCHBAY_SIGN_UP',
      meaning:
        'Who may make an account: anybody (`open`), whoever an issuer vouches for (`issuer`), or only people with an invitation (`invited`).',
    },
    choice(SIGN_UP_POLICIES),
    'issuer',
  ),
  maxSessionSeconds: withDefault(
    {
      variable: 'PATCHBAY_MAX_SESSION_SECONDS',
      meaning: 'The longest life of a session that an application can ask for; longer requests are refused.',
    },
    integer({ min: 60, max: 10 * 365 * DAY_SECONDS }),
    365 * DAY_SECONDS,
  ),
  browserSessionSeconds: withDefault(
    {
      variable: 'PATCHBAY_BROWSER_SESSION_SECONDS',
      meaning: 'How long a person stays signed in at most.',
    },
    integer({ min: 300, max: 400 * DAY_SECONDS }),
    30 * DAY_SECONDS,
  ),
  browserIdleSeconds: withDefault(
    {
      variable: 'PATCHBAY_BROWSER_IDLE_SECONDS',
      meaning: 'How long a person stays signed in without coming by.',
    },
    integer({ min: 120, max: 400 * DAY_SECONDS }),
    7 * DAY_SECONDS,
  ),
  requiresVerifier: withDefault(
    {
      variable: 'PATCHBAY_REQUIRE_INTENT_VERIFIER',
      meaning:
        'Whether applications must open intents with a `code_challenge`. Refuses those that only know the bare contract. Recommended where people share an address, such as an office or a campus.',
    },
    boolean,
    false,
  ),
  intentsPerMinute: withDefault(
    {
      variable: 'PATCHBAY_INTENTS_PER_MINUTE',
      meaning: 'How many intents one client address may open in a minute.',
    },
    integer({ min: 1, max: 100_000_000 }),
    120,
  ),
  streamsPerAddress: withDefault(
    {
      variable: 'PATCHBAY_STREAMS_PER_ADDRESS',
      meaning:
        'How many event streams one client address may hold open on a node. Whoever is refused one can poll.',
    },
    integer({ min: 1, max: 1_000_000 }),
    1_000,
  ),
}

export function identitySettingsOf(
  config: Omit<IdentitySettings, 'publicUrl'>,
  publicUrl: string,
): IdentitySettings {
  return {
    publicUrl,
    issuers: config.issuers,
    ciServices: config.ciServices,
    signUp: config.signUp,
    maxSessionSeconds: config.maxSessionSeconds,
    browserSessionSeconds: config.browserSessionSeconds,
    browserIdleSeconds: config.browserIdleSeconds,
    requiresVerifier: config.requiresVerifier,
    intentsPerMinute: config.intentsPerMinute,
    streamsPerAddress: config.streamsPerAddress,
  }
}
