import { KICAD_LIMITS } from '../limits.ts'
import type { Work } from './work.ts'

/** The signals of a bus label. Two of a bus are connected signal by signal: vectors by position, groups by name. */
export interface Bus {
  readonly kind: 'vector' | 'group'
  readonly members: readonly BusMember[]
}

export interface BusMember {
  /** As a label would name it: `D3`, `USB.DP`. */
  readonly name: string
  /** Without the name of the group. */
  readonly local: string
}

/** What KiCad writes for characters that would mean something else in a name. */
const ESCAPES: Readonly<Record<string, string>> = {
  slash: '/',
  backslash: '\\',
  lt: '<',
  gt: '>',
  colon: ':',
  dblquote: '"',
  quote: "'",
  bar: '|',
  space: ' ',
  tab: '\t',
  return: '\n',
  brace: '{',
}

/** What a label says, with the characters that it stands for: as people read it. */
export function shownName(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => ESCAPES[name] ?? all)
}

const VECTOR = /^([^[\]{}\s]*|[^[\]\s]*~\{[^[\]\s{}]*\}?)\[(\d{1,9})\.\.(\d{1,9})\]([^[\]\s]{0,20})$/
/** Braces after `~`, `^`, `_` and `$` are overbars, superscripts, subscripts and variables. */
const GROUP = /^((?:[^{}\s]*[^{}\s~^_$])?)\{([^{}]*(?:[~^_$]\{[^{}]*\}[^{}]*)*)\}$/

/** The signals of buses that have a name, by it. */
export type Aliases = ReadonlyMap<string, readonly string[]>

/** `undefined` for the name of a single signal. */
export function readBus(text: string, aliases: Aliases, work: Work): Bus | undefined {
  const name = shownName(text)
  const vector = readVector(name)
  if (vector !== undefined) {
    work(vector.length)
    return { kind: 'vector', members: vector.map((one) => ({ name: one, local: one })) }
  }
  const [, prefix, inner] = GROUP.exec(name) ?? []
  if (prefix === undefined || inner === undefined) return undefined
  const start = prefix === '' ? '' : `${prefix}.`
  const members = expand(inner.split(/[\s,]+/), { aliases, work }, new Set())
  return { kind: 'group', members: members.map((local) => ({ name: `${start}${local}`, local })) }
}

function readVector(name: string): string[] | undefined {
  const [, prefix, first, last, suffix] = VECTOR.exec(name) ?? []
  if (prefix === undefined || first === undefined || last === undefined) return undefined
  const [from, to] = [Number(first), Number(last)].toSorted((one, other) => one - other)
  if (from === undefined || to === undefined) return undefined
  const count = Math.min(to - from + 1, KICAD_LIMITS.busMembers)
  return Array.from({ length: count }, (_, at) => `${prefix}${from + at}${suffix ?? ''}`)
}

/** Vectors and aliases in a group; an alias may name others, and itself. */
function expand(
  names: readonly string[],
  given: { readonly aliases: Aliases; readonly work: Work },
  seen: ReadonlySet<string>,
): string[] {
  const members: string[] = []
  for (const name of names) {
    if (members.length >= KICAD_LIMITS.busMembers) break
    // Aliases of aliases without any signal are work as well.
    given.work(1 + seen.size)
    const alias = seen.has(name) ? undefined : given.aliases.get(name)
    const found =
      alias !== undefined
        ? expand(alias, given, new Set([...seen, name]))
        : name === ''
          ? []
          : (readVector(name) ?? [name])
    given.work(found.length)
    members.push(...found)
  }
  return members.slice(0, KICAD_LIMITS.busMembers)
}
