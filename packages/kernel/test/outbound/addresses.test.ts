import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createOutbound } from '../../src/outbound/index.ts'
import { HOSTILE_HOSTS } from './hostile-hosts.ts'
import { LIMITS, openOutbound, readAll, reasonOf, recordDials, refusal, serve } from './rig.ts'

const userAgent = 'patchbay-test'

test.for(HOSTILE_HOSTS)('[K-802] http://%s/ is refused and nothing is dialled', async (host) => {
  const { dialled, connect } = recordDials()
  const names: string[] = []
  const lookup = async (name: string) => {
    names.push(name)
    return ['8.8.8.8']
  }
  await using outbound = createOutbound({ userAgent, connect, lookup })
  expect(await reasonOf(outbound, `http://${host}/`)).toMatch(/^(address|url|name)$/)
  expect(await reasonOf(outbound, `https://${host}/`)).toMatch(/^(address|url|name)$/)
  expect({ names, dialled }).toEqual({ names: [], dialled: [] })
})

test('[K-802] at least sixty hostile spellings are tried, each once', () => {
  expect(new Set(HOSTILE_HOSTS).size).toBe(HOSTILE_HOSTS.length)
  expect(HOSTILE_HOSTS.length).toBeGreaterThanOrEqual(60)
})

test.for([
  ['8.8.8.8', '8.8.8.8'],
  ['134744072', '8.8.8.8'],
  ['0x08.010.2056', '8.8.8.8'],
  ['８.８.８.８', '8.8.8.8'],
  ['[::ffff:8.8.8.8]', '8.8.8.8'],
  ['[2606:4700:4700::1111]', '2606:4700:4700::1111'],
  ['[2a00:1450:0:0:0:0:0:1]', '2a00:1450::1'],
] as const)('[K-802] http://%s/ would be dialled as %s', async ([host, address]) => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect })
  expect(await reasonOf(outbound, `http://${host}/`)).toBe('unreachable')
  expect(dialled).toEqual([{ hostname: address, port: '', servername: undefined }])
})

test.for([
  ['ftp://8.8.8.8/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://8.8.8.8/', 'scheme'],
  ['data:text/plain,hello', 'scheme'],
  ['ws://8.8.8.8/', 'scheme'],
  ['unix:/run/docker.sock', 'scheme'],
  ['8.8.8.8/file.zip', 'url'],
  ['//8.8.8.8/', 'url'],
  ['http://', 'url'],
  ['', 'url'],
] as const)('[K-800] "%s" is refused with %s', async ([url, reason]) => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect })
  expect(await reasonOf(outbound, url)).toBe(reason)
  expect(dialled).toEqual([])
})

test.for([
  [22, 'port'],
  [6379, 'port'],
  [8080, 'port'],
  [80, 'unreachable'],
  [443, 'unreachable'],
] as const)('[K-807] port %i of a public address is refused with %s', async ([port, reason]) => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect, allowedNetworks: ['127.0.0.0/8'] })
  expect(await reasonOf(outbound, `http://8.8.8.8:${port}/`)).toBe(reason)
  expect(dialled).toHaveLength(reason === 'port' ? 0 : 1)
})

test('[K-807] configured ports replace the usual ones', async () => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect, ports: [8443] })
  expect(await reasonOf(outbound, 'https://8.8.8.8/')).toBe('port')
  expect(await reasonOf(outbound, 'https://8.8.8.8:8443/')).toBe('unreachable')
  expect(dialled.map(({ port }) => port)).toEqual(['8443'])
})

test('[K-807] a name with one address outside the allowed network keeps the usual ports', async () => {
  const { dialled, connect } = recordDials()
  await using outbound = openOutbound({ 'mixed.example': ['127.0.0.1', '8.8.8.8'] }, { connect })
  expect(await reasonOf(outbound, 'http://mixed.example:8080/')).toBe('port')
  expect(dialled).toEqual([])
})

test('[K-808] an allowed network is reached on any port, and its neighbors are not', async () => {
  await using server = await serve((_request, response) => response.end('mirror'))
  await using outbound = openOutbound({}, { allowedNetworks: ['127.0.0.1'] })
  const { body } = await outbound.open(server.url, LIMITS)
  expect(await readAll(body)).toBe('mirror')
  expect(await reasonOf(outbound, `http://127.0.0.2:${server.port}/`)).toBe('address')
  expect(await reasonOf(outbound, `http://10.0.0.1:${server.port}/`)).toBe('address')
  expect(await reasonOf(outbound, `http://[::1]:${server.port}/`)).toBe('address')
})

test('[K-808] an IPv6 network that contains the mapped addresses does not open IPv4', async () => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect, allowedNetworks: ['::/0'] })
  expect(await reasonOf(outbound, 'http://[::ffff:127.0.0.1]/')).toBe('address')
  expect(await reasonOf(outbound, 'http://[::1]:8080/')).toBe('unreachable')
  expect(dialled.map(({ hostname }) => hostname)).toEqual(['::1'])
})

test.for([
  '',
  'localhost',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  'fe80::%eth0/64',
  '::/129',
  '10.0.0.0/-1',
])('[K-808] "%s" is no network', (network) => {
  expect(() => createOutbound({ userAgent, allowedNetworks: [network] })).toThrow(TypeError)
})

test.for([
  'http://user:hunter2@8.8.8.8/',
  'http://hunter2@8.8.8.8/',
  'http://:hunter2@8.8.8.8/',
  'http://user:hunter2@[bad/',
  'http://user:hunter2@8.8.8.8:99999/',
  'http://user:hunter2@127.0.0.1/',
  'ftp://user:hunter2@8.8.8.8/',
])('[K-801] %s is refused, and the error does not hold the password', async (url) => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect })
  const error = await refusal(outbound.open(url, LIMITS))
  expect(error.reason).toMatch(/^(credentials|url|scheme)$/)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2')
  expect(dialled).toEqual([])
})
