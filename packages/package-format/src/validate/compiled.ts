import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { NEUTRAL_BRAND } from '../brand.ts'
import type { ValidateOptions } from './finding.ts'
import { jsonSchema, type SchemaName } from './json-schema.ts'
import { findRepeated } from './unique-items.ts'

/** Brands can come from requests: without a limit each new one would stay in memory. */
const MAX_COMPILED = 16

const compilers = new Map<string, Ajv>()

type Speed = 'first fault' | 'all faults'

/** The check of one shape, compiled at first use, once per dialect and URL mode. */
export function compiledCheck(name: SchemaName, speed: Speed, options: ValidateOptions): ValidateFunction {
  const check = compilerOf(speed, options).getSchema(`package-format#/definitions/${name}`)
  if (check === undefined) throw new Error(`no schema is named ${name}`)
  return check as ValidateFunction
}

/** All faults of a value in one shape. */
export function errorsOf(name: SchemaName, value: unknown, options: ValidateOptions): readonly ErrorObject[] {
  const check = compiledCheck(name, 'all faults', options)
  check(value)
  return check.errors ?? []
}

function compilerOf(speed: Speed, { brand = NEUTRAL_BRAND, urls = 'strict' }: ValidateOptions): Ajv {
  const key = `${brand} ${urls} ${speed}`
  const known = compilers.get(key)
  if (known !== undefined) return known
  const schema = jsonSchema({ brand, urls, id: 'package-format' })
  const compiler = createCompiler(speed).addSchema(schema)
  const [oldest] = compilers.keys()
  if (compilers.size >= MAX_COMPILED && oldest !== undefined) compilers.delete(oldest)
  compilers.set(key, compiler)
  return compiler
}

function createCompiler(speed: Speed): Ajv {
  const isThorough = speed === 'all faults'
  const compiler = new Ajv({ allErrors: isThorough, verbose: isThorough, validateFormats: false })
  compiler.removeKeyword('uniqueItems')
  return compiler.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || findRepeated(items) === undefined,
  })
}
