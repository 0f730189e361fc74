import { hash, timingSafeEqual } from 'node:crypto'

/** The answer of a provider while the person is asked, kept by the browser that brought it. */
export interface KeptAnswer {
  readonly nonce: string
  /** The query or form body as it came. */
  readonly text: string
}

const NAME = 'pb-flow'
/** Browsers drop a cookie above 4,096 bytes with its attributes, so a long answer is cut into several. */
const PIECE_LENGTH = 3_600
const MOST_PIECES = 4
const PLACES = Array.from({ length: MOST_PIECES }, (_, place) => place)
const FLOW_LENGTH = 22

/** Names a flow in addresses without giving its state away. */
export function flowOf(state: string): string {
  return hash('sha256', `flow\0${state}`, 'base64url').slice(0, FLOW_LENGTH)
}

/**
 * For one flow's address alone: two flows do not see each other's, and a hundred of them do not grow the header of any
 * request. `Lax`, because the way here is a redirect from another site. Lives as long as the browser session: cookies
 * with an end are written to the disk. `undefined`: the answer is too long.
 */
export function keepAnswer({ nonce, text }: KeptAnswer, path: string, secure: boolean): string[] | undefined {
  // Serialized anew: what comes out has no character that a cookie value must not have. It may be longer than what came.
  const value = `${nonce}.${new URLSearchParams(text).toString()}`
  const pieces = value.match(new RegExp(`.{1,${PIECE_LENGTH}}`, 'g')) ?? []
  if (pieces.length > MOST_PIECES) return undefined
  // All of them, each time: a piece of an earlier and longer answer must not be read as the end of this one.
  return PLACES.map((place) => {
    const piece = pieces[place]
    if (piece === undefined) return expired(place, path, secure)
    return `${NAME}${place}=${place === 0 ? `${pieces.length}.` : ''}${piece}; ${attributes(path, secure)}`
  })
}

export function forgetAnswer(path: string, secure: boolean): string[] {
  return PLACES.map((place) => expired(place, path, secure))
}

export function findKeptAnswer(cookieHeader: string | undefined): KeptAnswer | undefined {
  const pieces = new Map<string, string>()
  for (const pair of (cookieHeader ?? '').split('; ')) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals)
    // Empty is what was removed.
    if (!name.startsWith(NAME) || equals === pair.length - 1) continue
    // Two of one name: a neighboring host has planted one.
    if (pieces.has(name)) return undefined
    pieces.set(name, pair.slice(equals + 1))
  }
  const [, count = '', first] = /^([1-9])\.(.*)$/.exec(pieces.get(`${NAME}0`) ?? '') ?? []
  const rest = PLACES.slice(1, Number(count)).map((place) => pieces.get(`${NAME}${place}`))
  // More or fewer than were written: not what was kept.
  if (first === undefined || rest.includes(undefined) || pieces.size !== Number(count)) return undefined
  const value = first + rest.join('')
  const dot = value.indexOf('.')
  return dot < 1 ? undefined : { nonce: value.slice(0, dot), text: value.slice(dot + 1) }
}

export function isSameNonce(given: string | null, kept: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(kept)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function expired(place: number, path: string, secure: boolean): string {
  return `${NAME}${place}=; ${attributes(path, secure)}; Max-Age=0`
}

function attributes(path: string, secure: boolean): string {
  return `Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
