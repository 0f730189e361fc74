import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { type ShowOptions, soon, usePanelBench } from './panel-bench.ts'
import { answerFiles, type WorkspaceFiles } from './workspace-files.ts'

// The whole browser gives a sandboxed frame a process of its own; the windowless one must be told to.
const panels = usePanelBench({ args: ['--site-per-process', '--enable-features=IsolateSandboxedIframes'] })
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const output = (page: Page) => page.getByRole('log', { name: 'Output' })
const ended = /^(?:Done in|Failed after)/

type Contents = Readonly<Record<string, string | Buffer>>

async function open(path: string, contents: Contents, options: ShowOptions = {}) {
  let files: WorkspaceFiles | undefined
  const visit = await panels.show(
    { kind: 'script-runner', state: { path, code: '"own"' } },
    {
      ...options,
      prepare(site) {
        files = answerFiles(site, contents)
      },
    },
  )
  return { visit, page: visit.page, files: files as WorkspaceFiles }
}

/** What the script printed and what came of it, without how long that took. */
async function printed(page: Page): Promise<string[]> {
  await run(page).click()
  await output(page).getByText(ended).waitFor()
  return (await output(page).locator('pre').allInnerTexts()).slice(0, -1)
}

deepTest('[W-570] a file is chosen and run as it is stored; the own script stays', async () => {
  await using visit = await panels.show(
    { kind: 'script-runner', state: { code: '"own"' } },
    {
      prepare: (site) =>
        void answerFiles(site, { 'src/hello.js': 'console.log("hello"); 6 * 7', 'notes.md': '# Notes' }),
    },
  )
  const { page } = visit
  await page.getByRole('button', { name: /^Choose what to run/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose what to run' })
  await dialog.getByRole('button', { name: 'src/hello.js' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'notes.md' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'src/hello.js' }).click()
  await page.getByRole('textbox', { name: 'src/hello.js' }).waitFor()
  expect(await visit.stored()).toEqual([{ path: 'src/hello.js' }])
  expect(await printed(page)).toEqual(['hello', '42'])
  await page.getByRole('button', { name: /^Choose what to run/ }).click()
  await dialog.getByRole('button', { name: 'Script in this panel' }).click()
  await page.getByRole('textbox', { name: 'Bench' }).waitFor()
  expect(await printed(page)).toEqual(['"own"'])
})

deepTest(
  '[W-570][W-571] Python runs with its lines, and what was stored meanwhile is what runs',
  async () => {
    const { visit, page, files } = await open('blink.py', {
      'blink.py': 'for n in range(3):\n    print("blink", n)\nprint("no end", end="")',
    })
    await using _ = visit
    expect(await printed(page)).toEqual(['blink 0', 'blink 1', 'blink 2', 'no end'])
    files.contents.set('blink.py', 'lamp = 1\n\nprint(lmap)\n')
    expect(await printed(page)).toEqual([
      "Traceback (most recent call last):\n  File \"blink.py\", line 3, in <module>\nNameError: name 'lmap' isn't defined",
    ])
    files.contents.set('blink.py', 'print(1)\nif True print(2)\n')
    expect((await printed(page)).at(-1)).toMatch(/File "blink.py", line 2\nSyntaxError/)
  },
)

test.each([
  ['a script', 'const lamp = 1\n\nlmap + 1\n', 'ReferenceError: lmap is not defined', 3],
  ['one that awaits', 'await 1\nconst { on } = undefined\n', 'TypeError', 2],
  ['one that cannot be read', 'let a = 1\nlet b = \nlet c = 2', 'SyntaxError', 3],
  ['one in a function', 'function f() {\n  throw new Error("no lamp")\n}\n\nf()', 'Error: no lamp', 2],
])('[W-571] an error of JavaScript names its line: %s', async (_name, code, error, line) => {
  const { visit, page } = await open('a.js', { 'a.js': code })
  await using _ = visit
  const text = (await printed(page)).join('\n')
  expect(text).toContain(error)
  expect(text).toContain(`a.js, line ${line}`)
})

test('[W-572] JavaScript reads and lists files, by paths that begin beside it', async () => {
  const { visit, page } = await open(
    'lab/a.js',
    {
      'lab/a.js': `console.log(await files.read('data.csv'))
console.log(await files.read('/top.txt'), await files.read('../top.txt'))
console.log((await files.bytes('/raw.bin'))[1])
console.log(await files.list('.'), await files.list('/'))
for (const path of ['none.txt', '../../x', '/raw.bin'])
  await files.read(path).catch((error) => console.log(error.message))`,
      'lab/data.csv': '1,2',
      'lab/deep/x.txt': 'x',
      'top.txt': 'top',
      'raw.bin': Buffer.from([1, 254, 0]),
    },
    { alsoTolerated: /404/ },
  )
  await using _ = visit
  expect(await printed(page)).toEqual([
    '1,2',
    'top top',
    '254',
    '["lab/deep/","lab/a.js","lab/data.csv"] ["lab/","top.txt","raw.bin"]',
    'There is no file lab/none.txt.',
    '../../x is outside of the workspace.',
    '/raw.bin is not text. Use files.bytes to read it.',
  ])
})

deepTest(
  '[W-572] a run reads so often and so much, and is told when that is over',
  async () => {
    const large = 'x'.repeat(4 * 1024 * 1024 + 1)
    const { visit, page } = await open('a.js', {
      'a.js': `await files.read('large').catch((error) => console.log(error.message))
let count = 0
try { while (true) { await files.read('small'); count += 1 } } catch (error) { console.log(count, error.message) }`,
      large,
      small: 's',
    })
    await using _ = visit
    await page.getByRole('button', { name: /Longest run/ }).click()
    await page.getByRole('option', { name: '30 seconds' }).click()
    expect(await printed(page)).toEqual([
      'large has more than 4.2 MB.',
      '199 A script reads and lists 200 times at most.',
    ])
    // The next run begins anew.
    expect((await printed(page)).at(-1)).toMatch(/^199 /)
  },
  60_000,
)

test('[W-572] Python opens and imports what lies beside it, and reads the rest', async () => {
  const { visit, page } = await open('lab/plot.py', {
    'lab/plot.py': `import files, machine, os
from tools.scale import double
print(open("readings.csv").read().strip(), double(21), machine.NAME)
print(sorted(os.listdir()))
print(await files.read("/top.txt"))
try:
    open("/top.txt")
except OSError:
    print("not beside it")`,
    'lab/readings.csv': '20.5,21\n',
    'lab/machine.py': 'NAME = "bench"\n',
    'lab/tools/scale.py': 'def double(n):\n    return 2 * n\n',
    'top.txt': 'top',
  })
  await using _ = visit
  expect(await printed(page)).toEqual([
    '20.5,21 42 bench',
    "['machine.py', 'plot.py', 'readings.csv', 'tools']",
    'top',
    'not beside it',
  ])
})

test('[W-572] files that do not fit beside a Python script are told', async () => {
  const { visit, page } = await open('a.py', {
    'a.py': 'import os\nprint(os.listdir())',
    'large.bin': 'x'.repeat(3 * 1024 * 1024),
  })
  await using _ = visit
  const lines = await printed(page)
  expect(lines[0]).toMatch(/^1 file in this folder cannot be opened/)
  expect(lines).toContain("['a.py']")
})

test('[W-573] Python comes with its first script, and WebAssembly runs in the frame alone', async () => {
  const contents = { 'a.js': '1', 'b.py': 'print("py")' }
  const asked: string[] = []
  const { visit, page } = await open('a.js', contents, { isAlone: true, expectedFaults: [/wasm-eval/] })
  await using _ = visit
  page.on('request', (request) => asked.push(request.url()))
  await printed(page)
  expect(asked.filter((url) => url.includes('micropython'))).toEqual([])
  await visit.patch({ path: 'b.py' })
  await page.getByRole('textbox', { name: 'b.py' }).waitFor()
  expect(await printed(page)).toEqual(['py'])
  expect(asked.filter((url) => /micropython.*\.wasm$/.test(url))).toHaveLength(1)
  const inPage = await page.evaluate(() =>
    WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
      () => 'compiled',
      (error: Error) => error.name,
    ),
  )
  expect(inPage).toBe('CompileError')
})

deepTest(
  '[W-574] an endless Python script is stopped, by hand and by the clock, and the next one runs',
  async () => {
    const { visit, page, files } = await open('a.py', { 'a.py': 'print("begun")\nwhile True:\n    pass\n' })
    await using _ = visit
    await run(page).click()
    await output(page).getByText('begun').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await output(page)
      .getByText(/^Failed after/)
      .waitFor()
    await page.getByRole('button', { name: /Longest run/ }).click()
    await page.getByRole('option', { name: '1 second' }).click()
    await expect.poll(() => run(page).isEnabled(), soon).toBe(true)
    await run(page).click()
    await output(page).getByText('timed out after 1000 ms').waitFor()
    files.contents.set('a.py', 'print("next")')
    await expect.poll(() => run(page).isEnabled(), soon).toBe(true)
    await page.getByRole('button', { name: /Longest run/ }).click()
    await page.getByRole('option', { name: '5 seconds' }).click()
    expect(await printed(page)).toEqual(['next'])
  },
  60_000,
)

test('[W-574] a file finds nothing of the run before', async () => {
  const { visit, page } = await open('a.js', {
    'a.js': 'var seen = globalThis.kept ?? "nothing"; globalThis.kept = "something"; console.log(seen)',
  })
  await using _ = visit
  expect(await printed(page)).toEqual(['nothing'])
  expect(await printed(page)).toEqual(['nothing'])
})

test.each([
  ['gone.js', {}, 'The file is gone'],
  ['notes.md', { 'notes.md': '# Notes' }, 'This file cannot be run'],
  ['raw.py', { 'raw.py': Buffer.from([0xff, 0xfe, 0]) }, 'This is not text'],
  ['long.js', { 'long.js': '1;'.repeat(140_000) }, 'The file is too long to run'],
])('[W-570] %s is told, not run', async (path, contents: Contents, title) => {
  const { visit, page } = await open(path, contents, { alsoTolerated: /404/ })
  await using _ = visit
  await expect.poll(() => page.getByText(title).count(), soon).toBeGreaterThan(0)
  expect(await output(page).locator('pre').count()).toBe(0)
})
