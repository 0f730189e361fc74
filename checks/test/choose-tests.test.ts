import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseTests } from '../src/choose-tests.ts'
import { listTestFiles } from '../src/test-files.ts'

const manifest = (name: string, entry?: string) =>
  JSON.stringify({ name, ...(entry === undefined ? {} : { exports: { '.': entry } }) })

const TREE: Readonly<Record<string, string>> = {
  'packages/kernel/package.json': manifest('@patchbay/kernel', './src/index.ts'),
  'packages/kernel/src/index.ts': "export { now } from './clock.ts'\n",
  'packages/kernel/src/clock.ts': 'export const now = 1\n',
  'packages/kernel/src/lonely.ts': 'export const lonely = 1\n',
  'packages/kernel/test/clock.test.ts': "import '../src/clock.ts'\n",
  'areas/identity/package.json': manifest('@patchbay/identity'),
  'areas/identity/src/intent.ts': "import '@patchbay/kernel'\n",
  'areas/identity/test/intent.test.ts': "import '../src/intent.ts'\nimport './start.ts'\n",
  'areas/identity/test/start.ts': "import '@patchbay/testkit/postgres'\n",
  'areas/identity/test/words.test.ts': "import 'vitest'\n",
  'areas/identity/test/killed.deep.test.ts': "import '../src/intent.ts'\n",
  'areas/gateway/package.json': manifest('@patchbay/gateway'),
  'areas/gateway/test/states.test.ts': "import './count.ts'\n",
  'areas/gateway/test/count.ts': "import '@patchbay/testkit/depth'\n",
  'e2e/package.json': manifest('@patchbay/e2e'),
  'e2e/test/identity/journey.test.ts': "import 'vitest'\n",
  'e2e/test/gateway/journey.test.ts': "import 'vitest'\n",
}

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'patchbay-checks-'))
  for (const [path, text] of Object.entries(TREE)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})
afterAll(() => rmSync(root, { recursive: true }))

const JOURNEY = 'e2e/test/identity/journey.test.ts'
const INTENT = 'areas/identity/test/intent.test.ts'
const CLOCK = 'packages/kernel/test/clock.test.ts'

test.each([
  [
    'a source: what imports it, and the journeys of its package',
    'areas/identity/src/intent.ts',
    [INTENT, JOURNEY],
  ],
  [
    'a source of another package: what imports it across the border',
    'packages/kernel/src/clock.ts',
    [INTENT, CLOCK],
  ],
  ['a helper of tests: the tests that use it', 'areas/identity/test/start.ts', [INTENT, JOURNEY]],
  ['a test: itself', CLOCK, [CLOCK]],
  [
    'what nothing imports: its whole package',
    'areas/identity/test/tables.sql',
    [INTENT, 'areas/identity/test/words.test.ts', JOURNEY],
  ],
  ['a source that nothing imports: nothing', 'packages/kernel/src/lonely.ts', []],
  ['a text for people: nothing', 'areas/identity/SPEC.md', []],
])('%s', (_, changed, expected) => {
  expect(chooseTests(root, [changed])).toEqual(expected)
})

test.each(['packages/testkit/src/postgres.ts', 'vitest.config.ts', 'pnpm-lock.yaml'])(
  'what is part of every test calls for all of the common run: %s',
  (changed) => {
    const all = listTestFiles(root).filter(({ isDeep }) => !isDeep)
    expect(chooseTests(root, [changed])).toEqual(all.map(({ path }) => path))
  },
)

test('a test needs no engine when neither it nor a helper asks for one', () => {
  const units = listTestFiles(root).filter(({ isUnit }) => isUnit)
  expect(units.map(({ path }) => path)).not.toContain(INTENT)
  expect(units).toHaveLength(listTestFiles(root).length - 1)
})

test('the deep run takes a file that is deep, or asks itself or by a helper how far the run goes', () => {
  const deep = listTestFiles(root).filter(({ hasDeepForm }) => hasDeepForm)
  expect(deep.map(({ path }) => path)).toEqual([
    'areas/gateway/test/states.test.ts',
    'areas/identity/test/killed.deep.test.ts',
  ])
})
