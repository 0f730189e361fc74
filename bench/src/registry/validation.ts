import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createPackageValidator, jsonSchema, type ValidateOptions } from '@patchbay/package-format/validate'
import { inTurns, type Rounds } from '../report.ts'
import { syntheticPackage } from './synthetic-package.ts'

export const VALIDATORS = ['ajv', 'ours'] as const
/** Packages per second. */
export type ValidationRounds = Rounds<(typeof VALIDATORS)[number], number>

export interface ValidationResult {
  readonly synthetic: ValidationRounds
  /** Of public repositories, where they are at hand. */
  readonly real: { readonly packages: number; readonly rounds: ValidationRounds } | undefined
}

export interface ValidationSizes {
  readonly packages: number
  readonly seconds: number
  readonly rounds: number
}

type Check = (value: unknown) => boolean

interface Ajv {
  compile(schema: object): Check
}

const ENGINE = 'ajv'
const REAL = new URL('../../../../shared/data/pcm/', import.meta.url)

export async function measureValidation(sizes: ValidationSizes): Promise<ValidationResult> {
  const synthetic = Array.from({ length: sizes.packages }, (_, number) => syntheticPackage(number))
  const real = await readRealPackages()
  return {
    synthetic: await compare(synthetic, {}, sizes),
    real:
      real.length === 0
        ? undefined
        : { packages: real.length, rounds: await compare(real, { brand: 'kicad', urls: 'compat' }, sizes) },
  }
}

/** The engine itself, of the version that the format uses, with nothing switched on. */
function createBareCheck(options: ValidateOptions): Check {
  const require = createRequire(import.meta.resolve('@patchbay/package-format/validate'))
  const { Ajv: Engine } = require(ENGINE) as { readonly Ajv: new (options: object) => Ajv }
  return new Engine({ validateFormats: false }).compile(jsonSchema(options))
}

async function compare(
  packages: readonly unknown[],
  options: ValidateOptions,
  { seconds, rounds }: ValidationSizes,
): Promise<ValidationRounds> {
  const checks = { ajv: createBareCheck(options), ours: createPackageValidator(options) }
  requireAgreement(packages, checks.ajv, checks.ours)
  for (const name of VALIDATORS) checkFor(packages, checks[name], seconds)
  return await inTurns(VALIDATORS, rounds, async (name) => checkFor(packages, checks[name], seconds))
}

/** Two that do not agree do not do the same work. */
export function requireAgreement(packages: readonly unknown[], bare: Check, ours: Check): void {
  const differing = packages.findIndex((each) => bare(each) !== ours(each))
  if (differing >= 0) throw new Error(`the validators disagree on package ${differing}`)
}

function checkFor(packages: readonly unknown[], check: Check, seconds: number): number {
  let checked = 0
  const start = performance.now()
  const end = start + seconds * 1000
  do {
    for (const each of packages) check(each)
    checked += packages.length
  } while (performance.now() < end)
  return (checked * 1000) / (performance.now() - start)
}

async function readRealPackages(): Promise<unknown[]> {
  const names = await readdir(REAL).catch(() => [])
  const lists = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(`${name}/packages.json`, REAL), 'utf8').catch(() => '{}')
      return readList(text)
    }),
  )
  return lists.flat()
}

/** One of the public lists is broken, which is its makers' concern. */
function readList(text: string): unknown[] {
  try {
    const { packages = [] } = JSON.parse(text) as { readonly packages?: unknown[] }
    return packages
  } catch {
    return []
  }
}
