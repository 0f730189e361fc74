/** The part of JSON Schema that our contracts use. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Field {
  /** With its parents: `files[].path`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly limits: string
  readonly says: string
}

const DEEPEST_FIELD = 4

/** The fields of an object as rows, those of objects inside it below it. */
export function fieldsOf(schema: Schema, prefix = '', depth = 0): Field[] {
  const inner = innermost(schema)
  const names = Object.entries(inner.schema.properties ?? {})
  if (depth > DEEPEST_FIELD) return []
  return names.flatMap(([name, field]) => {
    const path = `${prefix}${inner.suffix}${prefix === '' && inner.suffix === '' ? '' : '.'}${name}`
    const required = inner.schema.required?.includes(name) === true
    const { description: says = '' } = field
    return [
      { name: path, type: typeOf(field), required, limits: limitsOf(field), says },
      ...fieldsOf(field, path, depth + 1),
    ]
  })
}

/** What is inside lists, and inside "or nothing". */
function innermost(schema: Schema): { schema: Schema; suffix: string } {
  if (schema.items !== undefined) {
    const { schema: item, suffix } = innermost(schema.items)
    return { schema: item, suffix: `[]${suffix}` }
  }
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = choices
  return choices.length === 1 && only !== undefined ? innermost(only) : { schema, suffix: '' }
}

export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(code).join(' or ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (schema.patternProperties !== undefined) return 'object by name'
  if (schema.format === 'date-time') return 'time'
  return schema.type ?? 'any'
}

export function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.pattern === undefined ? '' : code(schema.pattern),
    schema.default === undefined ? '' : `default ${code(schema.default)}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined)
    return least === most ? `${count(least)}${unit}` : `${count(least)} to ${count(most)}${unit}`
  if (most !== undefined) return `at most ${count(most)}${unit}`
  return least === undefined ? '' : `at least ${count(least)}${unit}`
}

function count(number: number): string {
  return Math.abs(number) >= Number.MAX_SAFE_INTEGER ? '2^53' : number.toLocaleString('en-US')
}

function code(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' ? 'empty' : `\`${text}\``
}

const PATIENCE = 8

/** Something that the schema takes: for examples. Names help where the schema alone would say little. */
export function exampleOf(schema: Schema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {}, name, depth)
  if (depth > PATIENCE) return null
  switch (schema.type ?? 'any') {
    case 'object': {
      const wanted = Object.entries(schema.properties ?? {}).filter(
        ([key]) => depth > 0 || schema.required?.includes(key) === true || schema.required === undefined,
      )
      return Object.fromEntries(wanted.map(([key, field]) => [key, exampleOf(field, key, depth + 1)]))
    }
    case 'array':
      return [exampleOf(schema.items ?? {}, name.replace(/s$/, ''), depth + 1)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, Math.min(schema.maximum ?? 10, 10))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return stringFor(schema, name)
    default:
      return {}
  }
}

const UUID = '0b7e4b2c-6a1f-4c1d-9a51-2f6d3c1e8a90'
const BY_NAME: Readonly<Record<string, string>> = {
  owner: 'ada',
  repo: 'bench',
  workspace: 'ada/bench',
  path: 'firmware/main.c',
  device: 'thermometer',
  channel: 'temperature',
  identifier: 'com.example.blinky',
  version: '1.0.0',
  reason: 'Because the bench is warm',
  message: 'Fix the reset pin',
  url: 'https://example.com/',
}
const SAMPLES = [
  'example',
  'ada',
  UUID,
  'ada/bench',
  `ada/${UUID}`,
  'com.example.blinky',
  '1.0.0',
  'text/plain',
  'https://example.com/',
  'firmware/main.c',
  'board.kicad_pcb',
  'sheet.kicad_sch',
  '10',
  'a'.repeat(64),
  '0'.repeat(64),
  'A'.repeat(43),
  'A'.repeat(22),
  'a1b2c3d4e5f6',
  '#a64400',
  'image/png',
  'S256',
  'key_0123456789abcdef',
]

function stringFor({ format, pattern, minLength = 0, maxLength = 10_000 }: Schema, name: string): string {
  if (format === 'date-time') return '2026-01-31T12:00:00.000Z'
  const test = pattern === undefined ? /^/ : new RegExp(pattern, 'u')
  const fits = (text: string) => test.test(text) && text.length >= minLength && text.length <= maxLength
  const named = BY_NAME[name]
  return (
    [...(named === undefined ? [] : [named]), ...SAMPLES].find(fits) ?? 'x'.repeat(Math.max(1, minLength))
  )
}
