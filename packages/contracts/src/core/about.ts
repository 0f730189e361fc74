import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getAbout = endpoint({
  method: 'GET',
  path: '/api/about',
  name: 'getAbout',
  summary: 'Which installation this is, and which node answered',
  tag: 'System',
  responses: {
    200: Type.Object({
      name: Type.Literal('patchbay'),
      version: Type.String(),
      node: Type.String({ description: 'The node that answered; another request may reach another node' }),
      installation: Type.Object({
        id: Type.String({ format: 'uuid' }),
        created_at: Type.String({ format: 'date-time' }),
      }),
    }),
  },
  problems: ['database_unavailable'],
})
