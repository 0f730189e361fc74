import { KICAD_LIMITS } from '../limits.ts'
import { type Atom, createAtom, isList, type List } from './node.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** What a word or a string says. */
export function valueOf({ text }: Atom): string {
  if (!text.startsWith('"')) return text
  return text.includes('\\') ? unescape(text.slice(1, -1)) : text.slice(1, -1)
}

/** As KiCad reads them. It stores text beyond ASCII as it is, so that numbers stand for single characters here. */
function unescape(inner: string): string {
  return inner.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g,
    (_, hex: string | undefined, octal: string | undefined, one: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      return ESCAPES[one ?? ''] ?? one ?? ''
    },
  )
}

/** A string as KiCad writes it. */
export function quote(value: string): Atom {
  return createAtom(
    `"${value.replaceAll(/[\\"\n\r]/g, (one) => (one === '\n' ? '\\n' : one === '\r' ? '\\r' : `\\${one}`))}"`,
  )
}

export function childOf(list: List | undefined, head: string): List | undefined {
  return list?.children.find((child): child is List => isList(child, head))
}

export function childrenOf(list: List | undefined, head: string): List[] {
  return list?.children.filter((child): child is List => isList(child, head)) ?? []
}

/** What the words and strings of a list say, without the one that it begins with. */
export function valuesOf(list: List | undefined): string[] {
  const values: string[] = []
  for (const [at, child] of list?.children.entries() ?? [])
    if (at > 0 && child.kind === 'atom') values.push(valueOf(child))
  return values
}

/** The first value of a child, such as the `A4` of `(paper "A4")`. */
export function textIn(list: List | undefined, head: string): string | undefined {
  return valuesOf(childOf(list, head))[0]
}

/** `(hide yes)` since KiCad 8, a bare `hide` before; `(hide)` is yes as well. */
export function hasFlag(list: List | undefined, name: string): boolean {
  const child = childOf(list, name)
  if (child !== undefined) return (valuesOf(child)[0] ?? 'yes') === 'yes'
  return list?.children.some((one, at) => at > 0 && one.kind === 'atom' && one.text === name) === true
}

/** Millimeters in a file, nanometers in a program: whole numbers neither drift nor differ between machines. */
export const NANOMETERS = 1_000_000
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/

export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? Number(text) : undefined
}

/** In nanometers; `undefined` for what is no number, or farther away than KiCad reaches. */
export function lengthOf(text: string | undefined): number | undefined {
  const number = numberOf(text)
  if (number === undefined) return undefined
  const nanometers = Math.round(number * NANOMETERS)
  // -0 would be written as 0, and compares as another value in tests and maps.
  return Math.abs(nanometers) > KICAD_LIMITS.coordinate ? undefined : nanometers + 0
}

/** As KiCad writes it: no exponent, no zeros at the end. */
export function millimeters(nanometers: number): Atom {
  const whole = Math.trunc(Math.abs(nanometers) / NANOMETERS)
  const part = String(Math.abs(nanometers) % NANOMETERS)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return createAtom(`${nanometers < 0 ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`)
}

export interface Point {
  /** In nanometers, to the right. */
  readonly x: number
  /** In nanometers, downward on a sheet. */
  readonly y: number
}

/** The two numbers of `(at 1 2)`, `(xy 1 2)`, `(size 1 2)`, …, after as many other values as `skip` says. */
export function pointOf(list: List | undefined, skip = 0): Point | undefined {
  const [first, second] = valuesOf(list).slice(skip)
  const x = lengthOf(first)
  const y = lengthOf(second)
  return x === undefined || y === undefined ? undefined : { x, y }
}

/** The third number of `(at 1 2 90)`, in degrees counterclockwise, from 0 up to but not including 360. */
export function angleOf(list: List | undefined): number {
  const angle = numberOf(valuesOf(list)[2]) ?? 0
  return Number.isFinite(angle) ? (((angle % 360) + 360) % 360) + 0 : 0
}
