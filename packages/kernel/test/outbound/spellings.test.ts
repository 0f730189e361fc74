import { depth } from '@patchbay/testkit/depth'
import { array, assert, asyncProperty, constantFrom, nat, oneof, tuple } from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { createOutbound } from '../../src/outbound/index.ts'
import { reasonOf, recordDials } from './rig.ts'

const numRuns = depth({ common: 300, deep: 20_000 })

/** What happens to one host: the address that would have been dialled, or the refusal. */
async function outcomeOf(host: string): Promise<string> {
  const { dialled, connect } = recordDials()
  const lookup = async (name: string) => Promise.reject(new Error(`looked up ${name}`))
  await using outbound = createOutbound({ userAgent: 'patchbay-test', connect, lookup })
  const reason = await reasonOf(outbound, `http://${host}/`)
  return dialled.map(({ hostname }) => hostname).join() || reason
}

/** Half of all random IPv4 addresses, and nearly all IPv6 ones, would say nothing about the special networks. */
const octets = oneof(
  tuple(nat(255), nat(255), nat(255), nat(255)),
  tuple(constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255), nat(255), nat(255), nat(255)),
  tuple(constantFrom(169), constantFrom(254), nat(255), nat(255)),
  tuple(constantFrom(192), constantFrom(0, 168), constantFrom(0, 2), nat(255)),
)

const RADIX = [
  (part: number) => String(part),
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X${part.toString(16).toUpperCase()}`,
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `000${part.toString(8)}`,
]
const SCRIPTS = [
  (text: string) => text,
  (text: string) => `${text}.`,
  (text: string) => text.replaceAll('.', '。'),
  (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text: string) => text.replaceAll(/\d/g, (digit) => `%3${digit}`),
]

function joinTail(parts: readonly number[], count: number): number[] {
  const tail = parts.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0)
  return [...parts.slice(0, count - 1), tail]
}

test('[K-802] an IPv4 address is dialled or refused by its range, however it is spelled', async () => {
  const radixes = array(constantFrom(...RADIX), { minLength: 4, maxLength: 4 })
  const spelled = tuple(octets, nat(3), radixes, constantFrom(...SCRIPTS))
  await assert(
    asyncProperty(spelled, async ([address, shorter, radix, script]) => {
      const parts = joinTail(address, 4 - shorter).map((part, index) => radix[index]?.(part))
      const plain = address.join('.')
      const isPublic = ipaddr.IPv4.parse(plain).range() === 'unicast' && plain !== '168.63.129.16'
      expect(await outcomeOf(script(parts.join('.')))).toBe(isPublic ? plain : 'address')
    }),
    { numRuns },
  )
})

const group = oneof(nat(0xffff), constantFrom(0, 1, 0xffff))
const prefix = oneof(
  tuple(group),
  tuple(constantFrom(0x2001), constantFrom(0, 2, 3, 4, 0x10, 0x20, 0x1ff, 0x200, 0xdb8, 0x4860)),
  tuple(constantFrom(0x2002, 0x2606, 0x2a00, 0x3fff, 0x5f00, 0xfc00, 0xfd00, 0xfe80, 0xfec0, 0xff02, 0x100)),
  tuple(constantFrom(0x64), constantFrom(0xff9b), constantFrom(0, 1), constantFrom(0)),
  tuple(...[0, 0, 0, 0].map((zero) => constantFrom(zero)), constantFrom(0, 0xffff), constantFrom(0, 0xffff)),
)
const groups = tuple(prefix, array(group, { minLength: 8, maxLength: 8 })).map(([first, others]) =>
  [...first, ...others].slice(0, 8),
)

const FORMS = [
  (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':'),
  (parts: readonly number[]) =>
    parts.map((part) => part.toString(16).padStart(4, '0').toUpperCase()).join(':'),
  (parts: readonly number[]) => new ipaddr.IPv6([...parts]).toRFC5952String(),
  (parts: readonly number[]) => {
    const tail = parts.slice(6).flatMap((part) => [part >> 8, part & 255])
    return `${parts
      .slice(0, 6)
      .map((part) => part.toString(16))
      .join(':')}:${tail.join('.')}`
  },
]

test('[K-802] an IPv6 address is dialled or refused by its range, however it is spelled', async () => {
  await assert(
    asyncProperty(groups, constantFrom(...FORMS), async (parts, spell) => {
      const address = ipaddr.process(new ipaddr.IPv6([...parts]).toNormalizedString())
      const isGlobal = address.kind() === 'ipv4' || (parts[0] ?? 0) >> 13 === 1
      const isPublic = address.range() === 'unicast' && isGlobal
      expect(await outcomeOf(`[${spell(parts)}]`)).toBe(isPublic ? address.toString() : 'address')
    }),
    { numRuns },
  )
})
