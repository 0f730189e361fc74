import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { endpoint, openApiDocument } from '../src/core/index.ts'

const info = { title: 'Test', version: '1', description: 'x' }

test('[CT-3] an endpoint becomes an operation with parameters, body, answers and problems', () => {
  const spec = endpoint({
    method: 'PATCH',
    path: '/things/{id}',
    name: 'renameThing',
    summary: 'Gives a thing another name',
    tag: 'Things',
    params: Type.Object({ id: Type.String({ description: 'Which one' }) }),
    query: Type.Object({ dry: Type.Optional(Type.Boolean()) }),
    headers: Type.Object({ 'x-api-key': Type.String() }),
    body: Type.Object({ name: Type.String() }),
    responses: {
      200: Type.Object({ name: Type.String() }),
      202: { mediaType: 'text/html', description: 'A page' },
      204: null,
    },
    problems: ['not_found', 'database_unavailable', 'bus_unavailable'],
  })
  const document = openApiDocument([spec], info)
  const operation = document.paths['/things/{id}']?.patch
  expect(document.openapi).toBe('3.1.0')
  expect(operation?.parameters).toEqual([
    {
      name: 'id',
      in: 'path',
      required: true,
      schema: { type: 'string', description: 'Which one' },
      description: 'Which one',
    },
    { name: 'dry', in: 'query', required: false, schema: { type: 'boolean' } },
    { name: 'x-api-key', in: 'header', required: true, schema: { type: 'string' } },
  ])
  expect(operation?.requestBody?.content).toHaveProperty(['application/json'])
  expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '202', '204', '400', '404', '500', '503'])
  expect(operation?.responses['202']?.content).toHaveProperty(['text/html'])
  expect(operation?.responses['503']?.description).toMatch(/database_unavailable.*bus_unavailable/)
})

test('[CT-3] a body is required unless the endpoint says otherwise', () => {
  const spec = {
    method: 'POST',
    path: '/x',
    name: 'x',
    summary: 'x',
    tag: 'x',
    body: Type.Object({}),
    responses: { 204: null },
  } as const
  const required = (bodyIsOptional?: true) => {
    const described = endpoint({ ...spec, ...(bodyIsOptional === undefined ? {} : { bodyIsOptional }) })
    return openApiDocument([described], info).paths['/x']?.['post']?.requestBody?.required
  }
  expect([required(), required(true)]).toEqual([true, false])
})

test('[CT-3] an endpoint that takes no input cannot refuse one', () => {
  const spec = endpoint({
    method: 'GET',
    path: '/x',
    name: 'x',
    summary: 'x',
    tag: 'x',
    responses: { 204: null },
  })
  expect(Object.keys(openApiDocument([spec], info).paths['/x']?.['get']?.responses ?? {})).toEqual([
    '204',
    '500',
  ])
})

test('[CT-13] an upload is described as a binary body of its media type', () => {
  const spec = endpoint({
    method: 'POST',
    path: '/x',
    name: 'x',
    summary: 'x',
    tag: 'x',
    upload: { mediaType: 'application/zip', description: 'A file.' },
    responses: { 204: null },
  })
  expect(openApiDocument([spec], info).paths['/x']?.['post']?.requestBody).toEqual({
    required: true,
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  })
})
