import { randomBytes } from 'node:crypto'
import {
  CHALLENGE,
  LABEL,
  MAX_AGE_SECONDS,
  NETWORK,
  tokenHashOf,
  tokenHashSql,
  USER_AGENT,
  VERIFIER,
} from './intents.ts'
import { browserHashOf, browserHashSql, personIdOf, personIdSql } from './people.ts'

export const OPERATIONS = ['create', 'poll', 'pollBare', 'link'] as const
export type OperationName = (typeof OPERATIONS)[number]

export interface Operation {
  readonly method: 'POST' | 'GET' | 'PATCH'
  readonly path: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
  /** Of the intents that have to be there. */
  readonly challenge: string | null
  readonly isByPerson: boolean
  /** Whether every operation needs an intent of its own. */
  readonly usesUp: boolean
}

const STATUS = {
  method: 'GET',
  path: '/auth/intents/{token}/status',
  isByPerson: false,
  usesUp: false,
} as const

export const HTTP: Readonly<Record<OperationName, Operation>> = {
  create: {
    method: 'POST',
    path: '/auth/intents',
    body: JSON.stringify({ label: LABEL, code_challenge: CHALLENGE }),
    headers: { 'Content-Type': 'application/json', 'User-Agent': USER_AGENT },
    challenge: null,
    isByPerson: false,
    usesUp: false,
  },
  poll: {
    ...STATUS,
    headers: { 'Intent-Verifier': VERIFIER, 'User-Agent': USER_AGENT },
    challenge: CHALLENGE,
  },
  pollBare: { ...STATUS, headers: { 'User-Agent': USER_AGENT }, challenge: null },
  link: {
    method: 'PATCH',
    path: '/auth/intents/{token}',
    headers: { 'User-Agent': 'Mozilla/5.0' },
    challenge: CHALLENGE,
    isByPerson: true,
    usesUp: true,
  },
}

/** AES-GCM of a session token: 47 bytes and a tag. */
const SEALED = randomBytes(63)
const LIFETIME_MS = 900_000

/** The parameters of each statement of an operation, of the shapes that the server sends. */
export type Parameters = (number: number) => readonly (readonly unknown[])[]

const poll: Parameters = (number) => [[tokenHashOf(number)]]

export const PARAMETERS: Readonly<Record<OperationName, Parameters>> = {
  create: () => {
    const now = new Date()
    const expires = new Date(now.getTime() + LIFETIME_MS)
    return [[randomBytes(32), now, expires, MAX_AGE_SECONDS, LABEL, CHALLENGE, NETWORK, USER_AGENT]]
  },
  poll,
  pollBare: poll,
  link: (number) => {
    const now = new Date()
    const id = personIdOf(number)
    return [[browserHashOf(number)], [tokenHashOf(number), now, randomBytes(32), SEALED, id, id]]
  },
}

const quoted = (text: string) => `'${text}'`
const pollSql = [[tokenHashSql(':number')]]

/** The same as SQL, for pgbench, which knows numbers only: hashes are PostgreSQL's work there. */
export const EXPRESSIONS: Readonly<Record<OperationName, readonly string[][]>> = {
  create: [
    [
      tokenHashSql(':number'),
      'now()',
      `now() + interval '15 minutes'`,
      `${MAX_AGE_SECONDS}`,
      ...[LABEL, CHALLENGE, NETWORK, USER_AGENT].map(quoted),
    ],
  ],
  poll: pollSql,
  pollBare: pollSql,
  link: [
    [browserHashSql(':number')],
    [
      tokenHashSql(':number'),
      'now()',
      `sha256((:number::text || 's')::bytea)`,
      `'\\x${SEALED.toString('hex')}'::bytea`,
      personIdSql(':number'),
      personIdSql(':number'),
    ],
  ],
}

/** The statements come from the server, their parameters from here: whoever changes one has to change the other. */
export function requireParameters(operation: OperationName, statements: readonly string[]): void {
  const sent = statements.map((text) => new Set(text.match(/\$\d+/g)).size)
  const known = PARAMETERS[operation](1).map((values) => values.length)
  if (sent.join() !== known.join())
    throw new Error(
      `${operation}: the server sends ${sent.join()} parameters, the bench knows ${known.join()}`,
    )
}
