import { distance } from 'fastest-levenshtein'
import { LICENSES, type License } from '../licenses.ts'

/** Licenses that are well known and not on the list: near in spelling to others, and something else in law. */
const OTHER_OPEN = /^(0bsd|a(gpl|fl|psl)|bsl-1\.0|ecl|epl|eupl|mit-0|mpl-2|ms-pl|ncsa|odbl|ofl|osl)/

/** Spellings that no rule below would lead to the right value. */
const ALIASES: Readonly<Record<string, License>> = {
  'bsd-2.0': 'BSD-2-Clause',
  'bsd-3.0': 'BSD-3-Clause',
  'cc-0.0': 'CC0-1.0',
  'lgpl-2.0': 'GNU-LGPL-2.0',
  'new-bsd': 'BSD-3-Clause',
  'simplified-bsd': 'BSD-2-Clause',
  psf: 'Python-2.0',
  x11: 'MIT',
}

export interface LicenseHint {
  readonly value: License
  /** `stands-for`: the value covers licenses that have none of their own. */
  readonly relation: 'spelling' | 'stands-for'
}

/** What somebody meant who wrote a license in another spelling; undefined when that is anybody's guess. */
export function suggestLicense(text: string): LicenseHint | undefined {
  if (text.length > 100) return undefined
  const plain = plainSpelling(text)
  const value = ALIASES[plain] ?? findByPlainSpelling(plain)
  if (value !== undefined) return { value, relation: 'spelling' }
  if (plain.startsWith('cern-ohl')) return { value: 'CERN-OHL', relation: 'spelling' }
  if (OTHER_OPEN.test(plain)) return { value: 'open-source', relation: 'stands-for' }
  const nearest = findNearest(plain)
  return nearest === undefined ? undefined : { value: nearest, relation: 'spelling' }
}

function findByPlainSpelling(plain: string): License | undefined {
  return LICENSES.find((license) => plainSpelling(license) === plain)
}

/** `Apache License 2.0`, `apache_2`, `GPLv3+` and `GPL-3.0-or-later`, as the list would have them but for case. */
function plainSpelling(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_,()/]+/g, '-')
    .replaceAll(/-?\b(the|licen[sc]ed?|version|creative-commons)\b/g, '')
    .replace(/^(gnu-)?(lesser-|library-)?general-public/, (_, _gnu, lesser) => (lesser ? 'lgpl' : 'gpl'))
    .replace(/^gnu-(?=l?gpl\b(?!-2\.0))/, '')
    .replace(/(-only|-or-later|\+)$/, '')
    .replaceAll(/-?\bv(?=\d)/g, '-')
    .replace(/([a-z])(?=\d+(\.\d+)?$)/, '$1-')
    .replace(/-(\d)$/, '-$1.0')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The version stays: `GPL-3.0` for `GPL-2.0` would be another license, however near. */
function findNearest(plain: string): License | undefined {
  const numbers = numbersIn(plain)
  const [best] = LICENSES.filter((license) => numbersIn(license) === numbers)
    .map((license) => ({ license, edits: distance(license.toLowerCase(), plain) }))
    .filter(({ license, edits }) => edits <= license.length / 3 || isAnagram(license.toLowerCase(), plain))
    .toSorted((a, b) => a.edits - b.edits)
  return best?.license
}

/** Two letters changed places: two edits, too many for a name of three. */
function isAnagram(a: string, b: string): boolean {
  return a.length > 2 && sorted(a) === sorted(b)
}

function sorted(text: string): string {
  return text.split('').toSorted().join('')
}

function numbersIn(text: string): string {
  return (text.match(/\d+/g) ?? []).join('.')
}
