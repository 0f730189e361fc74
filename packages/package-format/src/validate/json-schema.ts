import { NEUTRAL_BRAND } from '../brand.ts'
import type { ValidateOptions } from './finding.ts'
import { definitionsOf } from './schema.ts'

export interface JsonSchemaOptions extends ValidateOptions {
  /** The address under which the document is published. */
  readonly id?: string
}

export type SchemaName = keyof ReturnType<typeof definitionsOf>

/** JSON Schema draft-07 of everything in the contract; its root is a package. */
export function jsonSchema(options: JsonSchemaOptions = {}): Record<string, unknown> {
  return jsonSchemaOf('Package', options)
}

/** The same document with another shape as its root. */
export function jsonSchemaOf(name: SchemaName, options: JsonSchemaOptions = {}): Record<string, unknown> {
  const { brand = NEUTRAL_BRAND, urls = 'strict', id } = options
  const document = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...(id === undefined ? {} : { $id: id }),
    title: 'Package metadata, version 1',
    $ref: `#/definitions/${name}`,
    definitions: definitionsOf({ brand, urls }),
  }
  // The builder marks its objects in ways that JSON does not show.
  return JSON.parse(JSON.stringify(document)) as Record<string, unknown>
}
