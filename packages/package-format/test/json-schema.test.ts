import { Ajv } from 'ajv'
import type { Static } from 'typebox'
import { expect, expectTypeOf, test } from 'vitest'
import type { Contact, Package, PackageVersion, Repository, RepositoryResource } from '../src/index.ts'
import { jsonSchema, jsonSchemaOf } from '../src/validate/index.ts'
import {
  type contactSchema,
  type packageSchema,
  type repositoryResourceSchema,
  type repositorySchema,
  versionSchema,
} from '../src/validate/schema.ts'
import { examplePackage, exampleRepository } from './examples.ts'

const compile = (schema: object) => new Ajv().compile(schema)

test('[A-110] the document is plain JSON in draft-07, with every shape under definitions', () => {
  const schema = jsonSchema()
  expect(JSON.parse(JSON.stringify(schema))).toStrictEqual(schema)
  expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#')
  expect(new Ajv().validateSchema(schema)).toBe(true)
  expect(Object.keys(schema['definitions'] as object)).toEqual([
    'Package',
    'Contact',
    'PackageVersion',
    'PackageArray',
    'Repository',
    'RepositoryResource',
    'URL',
    'License',
  ])
})

test('[A-110] a checker that knows only the published document agrees', () => {
  expect(compile(jsonSchema())(examplePackage())).toBe(true)
  expect(compile(jsonSchema())(examplePackage({ license: 'none' }))).toBe(false)
  expect(compile(jsonSchemaOf('PackageArray'))({ packages: [examplePackage()] })).toBe(true)
  expect(compile(jsonSchemaOf('PackageArray'))(examplePackage())).toBe(false)
  expect(compile(jsonSchemaOf('Repository'))(exampleRepository())).toBe(true)
  expect(compile(jsonSchemaOf('Repository'))({ name: 'x' })).toBe(false)
})

test('[A-110] brand, address and URL mode are written into it', () => {
  const text = JSON.stringify(
    jsonSchema({ brand: 'kicad', id: 'https://example.com/v1.json', urls: 'compat' }),
  )
  expect(text).toContain('"$id":"https://example.com/v1.json"')
  expect(text).toContain('"kicad_version_max"')
  expect(text).not.toContain('tool_version')
  expect(jsonSchema({ urls: 'compat' })).not.toEqual(jsonSchema())
  expect(() => jsonSchema({ brand: 'Ki Cad' })).toThrow(TypeError)
})

test('[A-110] nothing that is done to a document changes the next', () => {
  const schema = jsonSchema()
  delete schema['definitions']
  expect(jsonSchema()).toHaveProperty('definitions.Package')
})

/** The fields that a type names, without the unknown ones that it allows. */
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

test('[A-111] what the schemas describe is what the types say', () => {
  expectTypeOf<Static<typeof packageSchema>>().toExtend<Known<Package>>()
  expectTypeOf<keyof Static<typeof packageSchema>>().toEqualTypeOf<keyof Known<Package>>()
  expectTypeOf<Static<typeof contactSchema>>().toExtend<Known<Contact>>()
  expectTypeOf<keyof Static<typeof contactSchema>>().toEqualTypeOf<keyof Known<Contact>>()
  expectTypeOf<Static<typeof repositorySchema>>().toExtend<Known<Repository>>()
  expectTypeOf<keyof Static<typeof repositorySchema>>().toEqualTypeOf<keyof Known<Repository>>()
  expectTypeOf<Static<typeof repositoryResourceSchema>>().toExtend<Known<RepositoryResource>>()
  const versionFields: Record<keyof Known<PackageVersion>, true> = {
    version: true,
    version_epoch: true,
    download_url: true,
    download_sha256: true,
    download_size: true,
    install_size: true,
    status: true,
    platforms: true,
    runtime: true,
    tool_version: true,
    tool_version_max: true,
    keep_on_update: true,
  }
  expect(Object.keys(versionSchema('tool').properties)).toEqual(Object.keys(versionFields))
})
