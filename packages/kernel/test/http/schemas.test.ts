import { BOARD_ENDPOINTS } from '@patchbay/contracts/boards'
import { CONTENT_ENDPOINTS } from '@patchbay/contracts/content'
import { CORE_ENDPOINTS } from '@patchbay/contracts/core'
import { DEVICE_ENDPOINTS } from '@patchbay/contracts/devices'
import { GATEWAY_ENDPOINTS, WATCHDOG_ENDPOINTS } from '@patchbay/contracts/gateway'
import { IDENTITY_ENDPOINTS } from '@patchbay/contracts/identity'
import { PANELS_ENDPOINTS } from '@patchbay/contracts/panels'
import { REGISTRY_ENDPOINTS } from '@patchbay/contracts/registry'
import { VIEWER_ENDPOINTS } from '@patchbay/contracts/viewer'
import { expect, test } from 'vitest'
import { on } from '../../src/http/index.ts'
import { compileAnswer, compileBody, compileText } from '../../src/http/validation.ts'
import { startHttp } from './harness.ts'

const ENDPOINTS = [
  ...CORE_ENDPOINTS,
  ...GATEWAY_ENDPOINTS,
  ...WATCHDOG_ENDPOINTS,
  ...IDENTITY_ENDPOINTS,
  ...REGISTRY_ENDPOINTS,
  ...PANELS_ENDPOINTS,
  ...CONTENT_ENDPOINTS,
  ...DEVICE_ENDPOINTS,
  ...BOARD_ENDPOINTS,
  ...VIEWER_ENDPOINTS,
]

// A server finds a schema that is wrong only when somebody asks, so all of them are tried here.
test.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
  '[K-242] the schemas of %s can be compiled',
  (_, endpoint) => {
    const { body, params, querystring, headers, response } = on(endpoint).schema
    const compiled = [
      ...[body].flatMap((schema) => (schema === undefined ? [] : compileBody(schema))),
      ...[params, querystring, headers].flatMap((schema) =>
        schema === undefined ? [] : compileText(schema),
      ),
      ...Object.values<object>(response).map((schema) => compileAnswer(schema)),
    ]
    expect(compiled.filter((each) => typeof each !== 'function')).toEqual([])
  },
)

test('[K-242] a schema is compiled once, and by the first request that needs it', async () => {
  const wrong = { type: 'object', properties: { size: { type: 'sizable' } } }
  await using http = startHttp()
  http.app.route({ method: 'POST', url: '/wrong', schema: { body: wrong }, handler: async () => ({}) })
  http.app.get('/sound', async () => ({}))
  const ask = (method: 'GET' | 'POST', url: string) =>
    http.app.inject({
      method,
      url,
      headers: { host: 'localhost' },
      ...(method === 'POST' ? { payload: {} } : {}),
    })
  expect((await ask('GET', '/sound')).statusCode).toBe(200)
  expect((await ask('POST', '/wrong')).json()).toMatchObject({ code: 'internal_error' })
  const right = { type: 'object' }
  expect(compileBody(right)).toBe(compileBody(right))
  expect(compileBody(right)).not.toBe(compileBody({ ...right }))
})
