import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOutbound } from '../../src/outbound/index.ts'
import {
  dialLoopback,
  LIMITS,
  LOOPBACK,
  openOutbound,
  readAll,
  reasonOf,
  recordDials,
  refusal,
  serve,
} from './rig.ts'

const userAgent = 'patchbay-test'

test.for([
  [['10.0.0.1']],
  [['8.8.8.8', '10.0.0.1']],
  [['127.0.0.1', '8.8.8.8']],
  [['2606:4700::1111', '::1']],
  [['::ffff:192.168.0.1']],
  [['169.254.169.254']],
  [['fe80::1%eth0']],
  [['2606:4700::1111%eth0']],
  [['010.0.0.1']],
  [['8.8.8.8', 'nonsense']],
  [['']],
] as const)('[K-803] a name that resolves to %j is refused and nothing is dialled', async ([answers]) => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect, lookup: async () => answers })
  expect(await reasonOf(outbound, 'http://files.example.com/')).toBe('name')
  expect(dialled).toEqual([])
})

test('[K-803] a name is resolved once for a request', async () => {
  const names: string[] = []
  const { dialled, connect } = recordDials()
  const lookup = async (name: string) => {
    names.push(name)
    return ['8.8.8.8']
  }
  await using outbound = createOutbound({ userAgent, connect, lookup })
  expect(await reasonOf(outbound, 'https://Files.Example.COM./x')).toBe('unreachable')
  expect(names).toEqual(['files.example.com'])
  expect(dialled).toEqual([{ hostname: '8.8.8.8', port: '', servername: 'files.example.com' }])
})

test('[K-804] an internal name and an unknown one are refused in the same words', async () => {
  const { connect } = recordDials()
  const lookup = async (name: string) => {
    if (name === 'vault.corp.example') return ['10.1.2.3']
    if (name === 'empty.corp.example') return []
    throw new Error('ENOTFOUND')
  }
  await using outbound = createOutbound({ userAgent, connect, lookup })
  const names = ['vault.corp.example', 'empty.corp.example', 'nothing.corp.example']
  const errors = await Promise.all(names.map((name) => refusal(outbound.open(`http://${name}/`, LIMITS))))
  expect(errors.map(({ reason }) => reason)).toEqual(['name', 'name', 'name'])
  expect(new Set(errors.map(({ message }) => message)).size).toBe(1)
})

test.for(["exa'mple.com", 'a..b', 'x;y', '~', `${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`])(
  '[K-804] %s is no host name and is not looked up',
  async (host) => {
    const { dialled, connect } = recordDials()
    const names: string[] = []
    const lookup = async (name: string) => {
      names.push(name)
      return ['8.8.8.8']
    }
    await using outbound = createOutbound({ userAgent, connect, lookup })
    expect(await reasonOf(outbound, `http://${host}/`)).toBe('name')
    expect({ names, dialled }).toEqual({ names: [], dialled: [] })
  },
)

test('[K-804] localhost is refused by what the resolver of the system says', async () => {
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect })
  expect(await reasonOf(outbound, 'http://localhost/')).toBe('name')
  expect(await reasonOf(outbound, 'http://localhost./')).toBe('name')
  expect(dialled).toEqual([])
})

test('[K-805] a resolver that changes its mind is not asked again', async () => {
  await using server = await serve((_request, response) => response.end('checked'))
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]
  const { dialled, connect } = dialLoopback()
  const lookup = async () => answers.shift() ?? []
  await using outbound = createOutbound({ userAgent, connect, lookup, allowedNetworks: LOOPBACK })
  const url = `http://rebinding.example:${server.port}/`
  const { body } = await outbound.open(url, LIMITS)
  expect(await readAll(body)).toBe('checked')
  expect(await reasonOf(outbound, url)).toBe('name')
  expect(dialled).toEqual(['127.0.0.1'])
})

test('[K-805] a public answer first and a private one later: the public one alone would be dialled', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1']]
  const { dialled, connect } = recordDials()
  await using outbound = createOutbound({ userAgent, connect, lookup: async () => answers.shift() ?? [] })
  expect(await reasonOf(outbound, 'http://rebinding.example/')).toBe('unreachable')
  expect(await reasonOf(outbound, 'http://rebinding.example/')).toBe('name')
  expect(dialled.map(({ hostname }) => hostname)).toEqual(['8.8.8.8'])
})

test('[K-809] the next address is tried when one cannot be reached', async () => {
  await using server = await serve((_request, response) => response.end('second'))
  const { dialled, connect } = dialLoopback()
  // The server listens on 127.0.0.1 alone.
  await using outbound = openOutbound({ 'two.example': ['127.0.0.9', '127.0.0.1'] }, { connect })
  const { body } = await outbound.open(`http://two.example:${server.port}/`, LIMITS)
  expect(await readAll(body)).toBe('second')
  expect(dialled).toEqual(['127.0.0.9', '127.0.0.1'])
})

test('[K-809] with the resolver and the connector of the system, a server on one of two loopback addresses is found', async () => {
  await using server = await serve((_request, response) => response.end('local'))
  await using outbound = createOutbound({ userAgent, allowedNetworks: [...LOOPBACK, '::1'] })
  const { body } = await outbound.open(`http://localhost:${server.port}/`, LIMITS)
  expect(await readAll(body)).toBe('local')
})

test('[K-809] four addresses are tried at most', async () => {
  const { dialled, connect } = recordDials()
  const lookup = async () => ['8.8.8.1', '8.8.8.2', '8.8.8.3', '8.8.8.4', '8.8.8.5', '8.8.8.6']
  await using outbound = createOutbound({ userAgent, connect, lookup })
  expect(await reasonOf(outbound, 'http://many.example/')).toBe('unreachable')
  expect(dialled.map(({ hostname }) => hostname)).toEqual(['8.8.8.1', '8.8.8.2', '8.8.8.3', '8.8.8.4'])
})

test('[K-827] two lookups run at once, a hundred wait, and whoever gave up is not looked up', async () => {
  const running: string[] = []
  const held = Promise.withResolvers<void>()
  const { connect } = recordDials()
  const lookup = async (name: string) => {
    running.push(name)
    await held.promise
    return ['8.8.8.8']
  }
  await using outbound = createOutbound({ userAgent, connect, lookup })
  const open = async (name: string, deadlineMs = 5000) =>
    refusal(outbound.open(`http://${name}.example/`, { ...LIMITS, deadlineMs }))
  const first = [open('a'), open('b')]
  const impatient = Array.from({ length: 99 }, async (_, index) => open(`x${index}`, 30))
  const patient = open('c')
  const tooMany = await open('d')
  expect(tooMany.reason).toBe('unreachable')
  const given = await Promise.all(impatient)
  expect(new Set(given.map(({ reason }) => reason))).toEqual(new Set(['deadline']))
  await sleep(10)
  expect(running).toEqual(['a.example', 'b.example'])
  held.resolve()
  const served = await Promise.all([...first, patient])
  expect(served.map(({ reason }) => reason)).toEqual(['unreachable', 'unreachable', 'unreachable'])
  expect(running).toEqual(['a.example', 'b.example', 'c.example'])
})
