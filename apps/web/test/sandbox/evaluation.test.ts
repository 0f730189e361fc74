import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Bench, type Boxes, type SandboxPage, startBench } from './bench.ts'

let bench: Bench
// One for all: what an evaluation leaves behind is none of the others' names.
let sandbox: SandboxPage
beforeAll(async () => {
  bench = await startBench()
  sandbox = await bench.open()
}, 120_000)
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

test.each([
  ['1 + 1', 2, 'number'],
  ['({ a: [1, undefined, { b: null }], c: undefined })', { a: [1, null, { b: null }] }, 'object'],
  ['[1, "two"]', [1, 'two'], 'array'],
  ['"text"', 'text', 'string'],
  ['null', null, 'null'],
  ['undefined', undefined, 'undefined'],
  ['var x = 1', undefined, 'undefined'],
  ['true', true, 'boolean'],
  ['NaN', 'NaN', 'number'],
  ['10n ** 20n', '100000000000000000000n', 'bigint'],
  ['Symbol("s")', 'Symbol(s)', 'symbol'],
  ['(function named() {})', '[Function named]', 'function'],
  ['new TypeError("no")', 'TypeError: no', 'error'],
  ['new Date(0)', '1970-01-01T00:00:00.000Z', 'object'],
  ['/a+/g', '/a+/g', 'object'],
  ['new Map([["k", { v: 1 }]])', [['k', { v: 1 }]], 'object'],
  ['new Set([1, 2])', [1, 2], 'object'],
  ['new Uint8Array([1, 2])', [1, 2], 'object'],
  ['const o = { name: "o" }; o.self = o; o', { name: 'o', self: '[Circular]' }, 'object'],
  ['({ get bad() { throw new Error("no") }, good: 1 })', { bad: '[Error: no]', good: 1 }, 'object'],
  ['({ toJSON() { throw new Error("no") } })', '[Error: no]', 'object'],
  ['({ toJSON: () => ({ a: 1 }) })', { a: 1 }, 'object'],
  ['new Proxy({ a: 1 }, {})', { a: 1 }, 'object'],
  ['document.createElement("b")', '<b></b>', 'object'],
  ['({ p: Promise.resolve(1) })', { p: '[Promise]' }, 'object'],
])('[W-322] %s gives its value and what it is', async (code, result, resultType) => {
  expect(await sandbox.evaluate(code)).toMatchObject({
    status: 'executed',
    resultType,
    ...(result !== undefined && { result }),
  })
})

deepTest('[W-322] what is too large is cut off, and said to be', async () => {
  for (const code of [
    '"x".repeat(1e6)',
    'Array.from({ length: 1e5 }, (_, i) => ({ i, text: "abcdefgh" }))',
    'const deep = {}; let at = deep; for (let i = 0; i < 1e4; i++) at = at.next = {}; deep',
    '"\\u0000".repeat(1e5)',
    'Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["key" + i, i]))',
  ]) {
    const answer = await sandbox.evaluate(code)
    expect(answer).toMatchObject({ status: 'executed', isTruncated: true })
    expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(65_536)
  }
})

describe('[W-321] code is a script', () => {
  test.each([
    ['var kept = 1; function twice(x) { return x * 2 }', 'twice(kept)', 2],
    ['globalThis.other = 5', 'other', 5],
    ['let gone = 1', 'typeof gone', 'undefined'],
  ])('%s is there for the next: %s', async (first, then, expected) => {
    await sandbox.evaluate(first)
    expect(await sandbox.value(then)).toBe(expected)
  })

  test.each([
    ['await Promise.resolve(7)', 7],
    ['const a = await Promise.resolve(3); a * 2', 6],
    ['const a = await Promise.resolve({ b: 4 })\na.b\n', 4],
    ['await (0); [1, 2].length', 2],
    ['return 5', 5],
    ['if (false)\n await (0)', undefined],
    ['let n = 0; for (const x of [1, 2]) { n += await x } n', 3],
    ['let n = 1; if (await false)\n n = 2\nn', 1],
    ['await 0; later(); function later() { globalThis.ran = 1 } ran', 1],
    ['await 0 // a; b\n', 0],
    ['async function f() { return await 9 } f()', 9],
    ['new Promise((resolve) => setTimeout(resolve, 20, "late"))', 'late'],
    ['({ then(done) { done(8) } })', 8],
    ['"await"', 'await'],
  ])('or awaits at its top: %s', async (code, expected) => {
    const { status, result, error } = await sandbox.evaluate(code)
    expect([status, error]).toEqual(['executed', undefined])
    expect(result).toEqual(expected)
  })
})

test.each([
  ['throw new RangeError("far")', 'RangeError: far'],
  ['throw "text"', 'thrown: text'],
  ['throw undefined', 'thrown: undefined'],
  ['x y', "SyntaxError: Unexpected identifier 'y'"],
  ['await Promise.reject(new Error("later"))', 'Error: later'],
  ['Promise.reject({ code: 1 })', 'thrown: {"code":1}'],
  ['JSON.parse("{")', expect.stringMatching(/^SyntaxError: /)],
  ['await missing', 'ReferenceError: missing is not defined'],
])('[W-323] %s is an error with its message', async (code, error) => {
  expect(await sandbox.evaluate(code)).toMatchObject({ status: 'error', error })
})

test('[W-324] what code writes to its console is in its result, with uncaught errors, and heard as it is written', async () => {
  const told = () => sandbox.page.evaluate(() => (globalThis as unknown as Boxes).lines)
  const before = (await told()).length
  const answer = await sandbox.evaluate(`
    console.log('a', 1, { b: [2] }); console.warn('w'); console.error(new Error('e')); console.debug(undefined); console.info('i')
    setTimeout(() => { throw new Error('late') }); Promise.reject(new Error('nobody'))
    new Promise((resolve) => setTimeout(resolve, 200))`)
  const lines = answer.console?.map(({ level, text }) => `${level}: ${text}`)
  expect(lines?.slice(0, 5)).toEqual([
    'log: a 1 {"b":[2]}',
    'warn: w',
    'error: Error: e',
    'debug: undefined',
    'info: i',
  ])
  expect(lines?.slice(5).toSorted()).toEqual([
    'error: Uncaught Error: late',
    'error: Uncaught in a promise: Error: nobody',
  ])
  expect((await told()).slice(before)).toEqual(lines)
})

test('[W-324] at most 100 lines and 65,536 characters are kept', async () => {
  const many = await sandbox.evaluate('for (let i = 0; i < 1e5; i++) console.log(i)')
  expect(many.console).toHaveLength(101)
  expect(many.console?.at(-1)).toEqual({ level: 'warn', text: 'More lines were left out.' })
  const long = await sandbox.evaluate('for (let i = 0; i < 50; i++) console.log("x".repeat(1e4))')
  expect(long.console?.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(66_000)
})

test('[W-325] evaluations run one after the other, and a reset leaves nothing', async () => {
  const order = await sandbox.page.evaluate(async () => {
    const box = (globalThis as unknown as Boxes).boxes['first']
    const codes = [
      'var n = 1; await new Promise((r) => setTimeout(r, 100)); globalThis.n2 = 2',
      'n2 + 1',
      'n2 + 2',
    ]
    return await Promise.all(codes.map(async (code) => await box?.evaluate(code, 20_000)))
  })
  expect(order.map((answer) => answer?.result)).toEqual([2, 3, 4])
  await sandbox.page.evaluate(() =>
    (globalThis as unknown as { boxes: Record<string, { reset(): Promise<void> }> }).boxes['first']?.reset(),
  )
  expect(await sandbox.value('typeof n2')).toBe('undefined')
})

test('[W-575] code that is sent has no files', async () => {
  expect(await sandbox.value('[typeof files, "files" in globalThis]')).toEqual(['undefined', false])
})
