import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { describe, expect } from 'vitest'
import { jsonHelp } from '../../src/workspace/panels/code-editor/language/json-help.ts'
import {
  importCandidates,
  typescriptHelp,
} from '../../src/workspace/panels/code-editor/language/typescript-help.ts'

/** Reads from these files, and notes what was asked for. */
function reader(files: Readonly<Record<string, string>>) {
  const asked: string[] = []
  return {
    asked,
    readFile: async (paths: readonly string[]) => {
      asked.push(...paths)
      const path = paths.find((each) => files[each] !== undefined)
      return path === undefined ? undefined : { path, text: files[path] ?? '' }
    },
  }
}

/** The text without its mark, and where that was. */
function marked(text: string): { readonly text: string; readonly offset: number } {
  return { text: text.replace('|', ''), offset: text.indexOf('|') }
}

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    voltage: { type: 'number', description: 'In <b>volts</b>.', maximum: 5 },
    mode: { enum: ['fast', 'slow'] },
  },
  required: ['voltage'],
})

describe('JSON', () => {
  test('[W-666] what is no JSON is marked where it is', async () => {
    const { diagnose } = jsonHelp(reader({}).readFile)
    const text = '{ "a": 1, "b" }'
    const [found, ...rest] = await diagnose({ path: 'a.json', text })
    expect([found?.severity, text.slice(found?.from, found?.to), rest]).toEqual(['error', '}', []])
    expect(await diagnose({ path: 'a.json', text: '' })).toEqual([])
    const commented = '{ // why\n "compilerOptions": {}, }'
    expect(await diagnose({ path: 'tsconfig.json', text: commented })).toEqual([])
    expect(await diagnose({ path: 'other.json', text: commented })).not.toEqual([])
  })

  test('[W-667] a schema in the workspace is asked by its relative path, and helps', async () => {
    const files = reader({ 'schemas/board.json': SCHEMA })
    const { diagnose, complete, hover } = jsonHelp(files.readFile)
    const about = (text: string) => ({ path: 'boards/a b.json', ...marked(text) })
    const first = '{ "$schema": "../schemas/board.json", '
    const wrong = await diagnose(about(`${first}"voltage": 9 }`))
    expect(wrong).toMatchObject([{ severity: 'warning' }])
    expect(files.asked).toEqual(['schemas/board.json'])
    const keys = await complete({ ...about(`${first}"m|" }`), isExplicit: true })
    expect(keys?.options.map(({ displayLabel }) => displayLabel)).toEqual(
      expect.arrayContaining(['mode', 'voltage']),
    )
    const values = await complete({ ...about(`${first}"mode": | }`), isExplicit: true })
    expect(values?.options.map(({ apply }) => apply)).toEqual(['"fast"', '"slow"'])
    expect(await hover(about(`${first}"volt|age": 3 }`))).toMatchObject({ text: 'In <b>volts</b>.' })
  })

  test('[W-667] files with a known name have our schemas, and no address of the web is asked', async () => {
    const files = reader({ 'schema:package.json': JSON.stringify({ required: ['identifier'] }) })
    const { diagnose } = jsonHelp(files.readFile)
    expect(await diagnose({ path: 'lib/metadata.json', text: '{}' })).toHaveLength(1)
    const published = '{ "$schema": "https://board.example/registry/schemas/v1/package.json" }'
    expect(await diagnose({ path: 'x.json', text: published })).toHaveLength(1)
    const elsewhere = '{ "$schema": "https://json.example/schema.json", "a": 1 }'
    expect(await diagnose({ path: 'y.json', text: elsewhere })).toEqual([])
    expect(new Set(files.asked)).toEqual(new Set(['schema:package.json']))
    const missing = await diagnose({ path: 'z.json', text: '{ "$schema": "./none.json" }' })
    expect(missing).toMatchObject([{ severity: 'warning' }])
  })
})

describe('TypeScript', () => {
  const texts = {
    'src/pins.ts': "import { Level } from './level.ts'\nexport const led: Level = 'high'\n",
    'src/level.ts': "export type Level = 'high' | 'low'\n",
  }
  const files = reader(texts)
  // One for all: it reads the declarations of a browser first.
  const help = typescriptHelp(files.readFile)

  deepTest('[W-668] what is wrong is marked, in what a file imports as well', async () => {
    const text = "import { led } from './pins.js'\nconst level: 'low' = led\nimport 'a-package'\n"
    const found = await help.diagnose({ path: 'src/main.ts', text })
    const errors = found.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ from, to }) => text.slice(from, to))).toEqual(['level'])
    expect(files.asked).toContain('src/level.ts')
    const broken = await help.diagnose({ path: 'src/b.ts', text: 'const = 1' })
    expect(broken[0]).toMatchObject({ severity: 'error', from: 6 })
  })

  test('[W-668] scripts know what the runner gives them, and may await and return at their top', async () => {
    const text = "const lines = (await files.read('a.csv')).split('\\n')\nreturn lines.length\n"
    expect(await help.diagnose({ path: 'count.js', text })).toEqual([])
    const after = await help.complete({ path: 'count.js', ...marked('files.|'), isExplicit: false })
    expect(after?.options.map(({ label }) => label)).toEqual(['bytes', 'list', 'read'])
    const described = await help.describe({ path: 'count.js', text: 'files.', offset: 6, label: 'read' })
    expect(described?.text).toBe('The text of a file.')
    const hover = await help.hover({ path: 'count.js', ...marked('fil|es') })
    expect(hover?.code).toContain('const files')
    const dom = await help.complete({ path: 'a.js', ...marked('document.quer|'), isExplicit: false })
    expect(dom?.options.map(({ label }) => label)).toContain('querySelector')
  })

  test('[W-668] a change of another file is seen once files were changed', async () => {
    const main = {
      path: 'main.ts',
      text: "import { led } from './src/pins'\nexport const low: 'low' = led\n",
    }
    expect(await help.diagnose(main)).toHaveLength(1)
    texts['src/pins.ts'] = "export const led: 'low' = 'low'\n"
    expect(await help.diagnose(main)).toHaveLength(1)
    help.forget()
    expect(await help.diagnose(main)).toEqual([])
  })

  test('[W-668] an import names files beside it and nothing else', () => {
    expect(importCandidates('src/a.ts', './b.js').slice(0, 4)).toEqual([
      'src/b.ts',
      'src/b.tsx',
      'src/b.d.ts',
      'src/b.js',
    ])
    expect(importCandidates('src/a.ts', '../lib')).toContain('lib/index.ts')
    expect(importCandidates('a.ts', '../out.ts')).toEqual([])
    expect(importCandidates('a.ts', 'react')).toEqual([])
  })
})
