import { endpoint } from '@patchbay/contracts/core'
import { Type } from 'typebox'

/** The empty validated route: both servers declare the same schema and do the same nothing. */
export const emptyRoute = endpoint({
  method: 'GET',
  path: '/things/{id}',
  name: 'getThing',
  summary: 'Does nothing, validated',
  tag: 'Bench',
  params: Type.Object({ id: Type.String({ maxLength: 40 }) }),
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
  responses: { 200: Type.Object({ id: Type.String(), ok: Type.Boolean() }) },
})

export const PATH = '/things/abc?limit=10'
