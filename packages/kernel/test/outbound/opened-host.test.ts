import { expect, test } from 'vitest'
import { LIMITS, openOutbound, readAll, recordDials, refusal, serve } from './rig.ts'

const NAMES = {
  'wiki.example': ['127.0.0.1'],
  'payroll.example': ['127.0.0.1'],
  'web.example': ['8.8.8.8'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
}

test('[K-828] an allowed network is reached at the opened host alone', async () => {
  await using server = await serve((_request, response) => response.end('wiki'))
  await using outbound = openOutbound(NAMES)
  const openedHost = `wiki.example:${server.port}`
  const { body } = await outbound.open(`http://${openedHost}/`, { ...LIMITS, openedHost })
  expect(await readAll(body)).toBe('wiki')
  const reasonFor = async (url: string, opened: string | null) =>
    (await refusal(outbound.open(url, { ...LIMITS, openedHost: opened }))).reason
  expect(await reasonFor(`http://payroll.example:${server.port}/`, openedHost)).toBe('name')
  expect(await reasonFor(`http://wiki.example/`, openedHost)).toBe('name')
  expect(await reasonFor(`http://127.0.0.1:${server.port}/`, openedHost)).toBe('address')
  expect(await reasonFor(`http://${openedHost}/`, null)).toBe('name')
})

test('[K-828] a redirect from the opened host to another one inside is refused', async () => {
  await using server = await serve((request, response) => {
    const { port } = new URL(`http://${request.headers.host}`)
    response.writeHead(302, { location: `http://payroll.example:${port}/` }).end()
  })
  await using outbound = openOutbound(NAMES)
  const openedHost = `wiki.example:${server.port}`
  const refused = await refusal(outbound.open(`http://${openedHost}/`, { ...LIMITS, openedHost }))
  expect(refused.reason).toBe('name')
})

test('[K-828] public addresses are reached whatever is opened', async () => {
  const { dialled, connect } = recordDials()
  await using outbound = openOutbound(NAMES, { connect })
  await refusal(outbound.open('http://web.example/', { ...LIMITS, openedHost: null }))
  expect(dialled.map(({ hostname }) => hostname)).toEqual(['8.8.8.8'])
})

test.for([
  ['http://wiki.example/', true],
  ['http://127.0.0.1:8080/', true],
  ['http://mixed.example/', true],
  ['http://web.example/', false],
  ['http://8.8.8.8/', false],
  ['http://unknown.example/', false],
  ['http://10.0.0.1/', false],
  ['file:///etc/passwd', false],
] as const)('[K-829] %s leads inside: %s', async ([url, expected]) => {
  const { dialled, connect } = recordDials()
  await using outbound = openOutbound(NAMES, { connect })
  expect(await outbound.leadsInside(url, { deadlineMs: 5_000 })).toBe(expected)
  expect(dialled).toEqual([])
})

test('[K-829] a name server that does not answer is not waited for beyond the deadline', async () => {
  await using outbound = openOutbound({}, { lookup: () => new Promise(() => {}) })
  expect(await outbound.leadsInside('http://slow.example/', { deadlineMs: 50 })).toBe(false)
})
