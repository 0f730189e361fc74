import type { Package, PackageVersion } from '@patchbay/package-format'

/** Packages that are told apart by number and always the same: whoever loads can name the next one. */
export const PACKAGES_PER_OWNER = 100

const COMMON =
  'motor driver sensor battery charger antenna filter amplifier connector regulator oscillator display keypad encoder relay ' +
  'isolator board layout footprint symbol library panel export import report netlist via copper mask paste drill outline ' +
  'fiducial teardrop length tuning impedance stackup thermal relief ground plane zone route autoroute check rule assembly ' +
  'placement rotation supplier part number price stock render model step gerber schematic sheet label bus pin simulation ' +
  'spice noise current voltage power budget test point jumper pad grid array module microcontroller memory interface'
const SYLLABLES = 'ba ce di fo gu ha ji ko lu ma ne pi qo ru sa te vi wo xu ze'.split(' ')
/** Words that are made up follow the common ones, until there are as many as in texts of this kind. */
export const VOCABULARY = [
  ...COMMON.split(' '),
  ...SYLLABLES.flatMap((a) => SYLLABLES.flatMap((b) => SYLLABLES.map((c) => a + b + c))),
]
/** The first words of the vocabulary are in many packages, the last in very few. */
const SKEW = 3
const TYPES = ['plugin', 'plugin', 'plugin', 'library', 'library', 'colortheme'] as const
const LICENSES = ['MIT', 'Apache-2.0', 'GPL-3.0', 'BSD-3-Clause', 'CC0-1.0'] as const
const STATUSES = ['deprecated', 'stable', 'stable'] as const
const PLATFORMS = ['linux', 'macos', 'windows'] as const

export function identifierOf(number: number): string {
  return `com.example.maker${ownerIndex(number)}.package${number}`
}

export function ownerOf(number: number): string {
  return `maker-${ownerIndex(number)}`
}

function ownerIndex(number: number): number {
  return Math.floor(number / PACKAGES_PER_OWNER)
}

/** As an index lists it: three versions, the latest first, in the neutral dialect. */
export function syntheticPackage(number: number): Package {
  const random = randomFor(number)
  const pick: Pick = (choices) => choices[Math.floor(random() * choices.length)] as (typeof choices)[number]
  const word = () => VOCABULARY[Math.floor(random() ** SKEW * VOCABULARY.length)] ?? ''
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const web = `https://example.com/${identifierOf(number)}`
  return {
    name: titled([word(), word(), word()]),
    description: `${titled([word()])} ${words(9)}.`,
    description_full: Array.from({ length: 6 }, () => `${titled([word()])} ${words(14)}.`).join('\n'),
    identifier: identifierOf(number),
    type: pick(TYPES),
    author: {
      name: `Maker ${ownerIndex(number)}`,
      contact: { web: 'https://example.com/makers', email: 'maker@example.com' },
    },
    maintainer: { name: `Maker ${ownerIndex(number)}`, contact: { web: 'https://example.com/makers' } },
    license: pick(LICENSES),
    resources: { homepage: web, documentation: `${web}/manual`, 'issue tracker': `${web}/issues` },
    tags: [...new Set([word(), word(), word()])],
    keep_on_update: ['/settings\\.ini$'],
    versions: [2, 1, 0].map((minor) => syntheticVersion(number, minor, pick)),
  }
}

function syntheticVersion(number: number, minor: number, pick: Pick): PackageVersion {
  const sha256 = hashLike(number * 3 + minor)
  return {
    version: `1.${minor}.0`,
    status: STATUSES[minor] ?? 'stable',
    tool_version: pick(['6.0', '7.0', '8.0', '9.0']),
    ...(pick([true, false]) ? { tool_version_max: '9.99' } : {}),
    platforms: [...new Set([pick(PLATFORMS), pick(PLATFORMS), 'linux' as const])],
    download_url: `https://example.com/archives/${sha256}/${identifierOf(number)}-1.${minor}.0.zip`,
    download_sha256: sha256,
    download_size: 40_000 + (number % 900_000),
    install_size: 120_000 + (number % 2_000_000),
  }
}

/** Looks like a hash and is a number: nobody opens these archives. */
export function hashLike(number: number): string {
  return number.toString(16).padStart(64, 'a')
}

type Pick = <Choice>(choices: readonly Choice[]) => Choice

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
function randomFor(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e_37_79_b1)
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function titled(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
