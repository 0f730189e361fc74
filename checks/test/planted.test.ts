import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkCheckout } from '../src/checkout.ts'

const manifest = (name: string, dependencies: object = {}) =>
  JSON.stringify({ name, private: true, dependencies })

const published = (change: object = {}) =>
  JSON.stringify({
    name: '@patchbay/client',
    version: '0.1.0',
    description: 'The SDK',
    license: 'Apache-2.0',
    repository: { type: 'git', url: 'git+https://example.com/p.git', directory: 'packages/client' },
    engines: { node: '>=20' },
    exports: { '.': './src/index.ts', './test': './test/user.ts' },
    files: ['dist'],
    publishConfig: {
      access: 'public',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    },
    ...change,
  })

const row = (rules: string, tests: string, number = 'CT-C-1') =>
  `| ${number} | An intent is linked once | ${rules} | ${tests} |\n`

/** A small checkout that breaks nothing. */
const SOUND: Readonly<Record<string, string>> = {
  '.ci/setup': 'NODE_VERSION=24.1.0\nOLD_NODE_VERSION=20.1.0\nPNPM_VERSION=12.1.0\n',
  '.nvmrc': '24.1.0\n',
  'package.json': JSON.stringify({ packageManager: 'pnpm@12.1.0' }),
  'packages/contracts/package.json': manifest('@patchbay/contracts'),
  'packages/kernel/package.json': manifest('@patchbay/kernel', { '@patchbay/contracts': '*' }),
  'areas/identity/package.json': manifest('@patchbay/identity', { '@patchbay/kernel': '*' }),
  'areas/panels/package.json': manifest('@patchbay/panels', { '@patchbay/kernel': '*' }),
  'packages/kernel/src/bus/redis/bus.ts':
    "import { Node } from '../ports/bus.ts'\nexport const node = Node\n",
  'areas/identity/SPEC.md': '- **C-1** An intent is linked once.\n',
  'areas/identity/src/intent.ts': 'export const open = (now: Date) => now\n',
  'areas/identity/src/intent.store.ts':
    "import { sql } from 'kysely'\nimport { open } from './intent.ts'\nexport const find = () => [sql, open]\n",
  'areas/identity/src/intent.routes.ts':
    "import { find } from './intent.store.ts'\nexport const routes = () => find\n",
  'areas/identity/src/index.ts': "export { routes } from './intent.routes.ts'\n",
  'areas/identity/test/intent.test.ts': "test('[C-1] one of two wins', () => {})\n",
  'docs/reference/contract.md': row('C-1', '`areas/identity/test/intent.test.ts`'),
}

function checkTree(changes: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'patchbay-checks-'))
  try {
    for (const [path, text] of Object.entries({ ...SOUND, ...changes })) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return checkCheckout(root).violations.map(({ file, message }) => `${file}: ${message}`)
  } finally {
    rmSync(root, { recursive: true })
  }
}

test('a library may have one file with its defaults, and a test may look at any file of its area', () => {
  const changes = {
    'packages/contracts/src/surroundings.ts': 'export const now = () => Date.now()\n',
    'areas/identity/test/intent.test.ts':
      "import { find } from '../src/intent.store.ts'\ntest('[C-1] one of two wins', () => find)\n",
  }
  expect(checkTree(changes)).toEqual([])
})

test('a rule may have its test in another language', () => {
  const changes = {
    'clients/python/SPEC.md': '- **PY-1** An address is checked.\n',
    'clients/python/test/test_address.py': 'def test_it():\n    """[PY-1] it is checked"""\n',
  }
  expect(checkTree(changes)).toEqual([])
})

test('a sound tree has no violations', () => {
  expect(checkTree({})).toEqual([])
})

test.each([
  [
    'a long file in another language',
    { 'clients/python/patchbay/client.py': '\n'.repeat(501) },
    'clients/python/patchbay/client.py: has 501 lines, more than 500',
  ],
  [
    'a test in another language for a rule that nobody wrote',
    { 'clients/python/test/test_it.py': '"""[PY-9] it is checked"""\n' },
    'clients/python/test/test_it.py: cites PY-9, which no SPEC.md has',
  ],
  [
    'an area that depends on another',
    { 'areas/panels/package.json': manifest('@patchbay/panels', { '@patchbay/identity': '*' }) },
    'areas/panels/package.json: areas/panels must not depend on areas/identity',
  ],
  [
    'a kernel that depends on an area',
    { 'packages/kernel/package.json': manifest('@patchbay/kernel', { '@patchbay/identity': '*' }) },
    'packages/kernel/package.json: packages/kernel must not depend on areas/identity',
  ],
  [
    'a folder without an arrow',
    { 'packages/helpers/package.json': manifest('@patchbay/helpers') },
    'packages/helpers/package.json: no arrow is drawn for packages/helpers',
  ],
  [
    'an example that reaches behind the published packages',
    { 'examples/one/package.json': manifest('@patchbay/example-one', { '@patchbay/kernel': '*' }) },
    'examples/one/package.json: examples/one must not depend on packages/kernel',
  ],
  [
    'a rule that reads the database',
    {
      'areas/identity/src/intent.ts': "import { find } from './intent.store.ts'\nexport const open = find\n",
    },
    'areas/identity/src/intent.ts: a pure file must not import ./intent.store.ts',
  ],
  [
    'a store that knows the wire',
    { 'areas/identity/src/intent.store.ts': "export { routes } from './intent.routes.ts'\n" },
    'areas/identity/src/intent.store.ts: a store file must not import ./intent.routes.ts',
  ],
  [
    'a store that reads the disk',
    {
      'areas/identity/src/intent.store.ts':
        "import { sql } from 'kysely'\nimport { readFile } from 'node:fs/promises'\nexport const find = () => [sql, readFile]\n",
    },
    'areas/identity/src/intent.store.ts: only an io file may import node:fs/promises',
  ],
  [
    'a file about the disk that imports an engine',
    { 'areas/identity/src/folder.io.ts': "import { sql } from 'kysely'\nexport const find = () => sql\n" },
    'areas/identity/src/folder.io.ts: io files must not import kysely',
  ],
  [
    'rooms that import who drives them',
    {
      'areas/panels/src/rooms/room.ts':
        "import { view } from '../webview/view.ts'\nexport const room = view\n",
      'areas/panels/src/webview/view.ts': 'export const view = 1\n',
    },
    'areas/panels/src/rooms/room.ts: rooms must not import areas/panels/src/webview/view.ts',
  ],
  [
    'two folders that import each other, although no two files do',
    {
      'areas/panels/src/one/a.ts': "import { d } from '../two/d.ts'\nexport const a = d\n",
      'areas/panels/src/one/b.ts': 'export const b = 1\n',
      'areas/panels/src/two/c.ts': "import { b } from '../one/b.ts'\nexport const c = b\n",
      'areas/panels/src/two/d.ts': 'export const d = 1\n',
    },
    'areas/panels/src: a circle of imports: one → two → one',
  ],
  [
    'a folder and a file beside it that import each other',
    {
      'areas/panels/src/one/a.ts': "import { deps } from '../deps.ts'\nexport const a = deps\n",
      'areas/panels/src/one/b.ts': 'export const b = 1\n',
      'areas/panels/src/deps.ts': "import { b } from './one/b.ts'\nexport const deps = b\n",
    },
    'areas/panels/src: a circle of imports: deps.ts → one → deps.ts',
  ],
  [
    'a rule that imports an engine',
    { 'areas/identity/src/intent.ts': "import type { Pool } from 'pg'\nexport type P = Pool\n" },
    'areas/identity/src/intent.ts: pure files must not import pg',
  ],
  [
    'an index with logic',
    { 'areas/identity/src/index.ts': 'export const x = 1\n' },
    'areas/identity/src/index.ts: an index holds named re-exports and nothing else',
  ],
  [
    'a relative import across a border',
    {
      'areas/panels/src/panel.ts':
        "import { open } from '../../identity/src/intent.ts'\nexport const o = open\n",
    },
    'areas/panels/src/panel.ts: reaches into areas/identity/src/intent.ts: import the package by its name',
  ],
  [
    'a lazy import across a border',
    { 'areas/panels/src/panel.ts': "export const o = () => import('../../identity/src/intent.ts')\n" },
    'areas/panels/src/panel.ts: reaches into areas/identity/src/intent.ts: import the package by its name',
  ],
  [
    'a Redis bus that borrows from the one in process',
    { 'packages/kernel/src/bus/redis/bus.ts': "export { Hub } from '../in-process/hub.ts'\n" },
    'packages/kernel/src/bus/redis/bus.ts: redis must not import packages/kernel/src/bus/in-process/hub.ts',
  ],
  [
    'a bus in process that borrows from Redis through the index',
    {
      'packages/kernel/src/bus/in-process/bus.ts':
        "import type { Keys } from '../index.ts'\nexport type K = Keys\n",
    },
    'packages/kernel/src/bus/in-process/bus.ts: in-process must not import packages/kernel/src/bus/index.ts',
  ],
  [
    'a port that knows an implementation',
    { 'packages/kernel/src/bus/ports/bus.ts': "export const open = () => import('../redis/bus.ts')\n" },
    'packages/kernel/src/bus/ports/bus.ts: ports must not import packages/kernel/src/bus/redis/bus.ts',
  ],
  [
    'an environment variable read in the middle',
    { 'areas/identity/src/intent.ts': 'export const open = () => process.env.TTL\n' },
    'areas/identity/src/intent.ts: the environment must be passed in from a composition root',
  ],
  [
    'a clock read in the middle',
    { 'areas/identity/src/intent.ts': 'export const open = () => Date.now()\n' },
    'areas/identity/src/intent.ts: wall time must be passed in from a composition root',
  ],
  [
    'randomness in the middle of a library',
    {
      'packages/contracts/src/id.ts': 'export const id = () => crypto.randomUUID()\n',
      'packages/contracts/src/surroundings.ts': 'export const id = () => crypto.randomUUID()\n',
    },
    'packages/contracts/src/id.ts: randomness must be passed in from a composition root',
  ],
  [
    "a line for the framework's logger",
    {
      'areas/identity/src/intent.routes.ts':
        'export const h = (request: { log: { info(): void } }) => request.log.info()\n',
    },
    'areas/identity/src/intent.routes.ts: the log must be passed in from a composition root',
  ],
  [
    'a rule without a test',
    { 'areas/identity/SPEC.md': '- **C-1** One.\n- **C-2** Two.\n' },
    'areas/identity/SPEC.md: C-2 has no test in the common run',
  ],
  [
    'a rule that only the deep run tests',
    {
      'areas/identity/SPEC.md': '- **C-1** One.\n- **C-2** Two.\n',
      'areas/identity/test/all.deep.test.ts': "test('[C-2] for hours', () => {})\n",
    },
    'areas/identity/SPEC.md: C-2 has no test in the common run',
  ],
  [
    'a test of a rule that nobody wrote',
    { 'areas/identity/test/intent.test.ts': "test('[C-1] x', () => {})\ntest('[C-9] y', () => {})\n" },
    'areas/identity/test/intent.test.ts: cites C-9, which no SPEC.md has',
  ],
  [
    'a statement of the contract without a rule',
    { 'docs/reference/contract.md': row('', '') },
    'docs/reference/contract.md: CT-C-1 has no rule',
  ],
  [
    'a statement whose rule nobody wrote',
    { 'docs/reference/contract.md': row('C-1, C-9', '') },
    'docs/reference/contract.md: CT-C-1 names C-9, which no SPEC.md has',
  ],
  [
    'a statement whose rule only the deep run tests',
    {
      'areas/identity/SPEC.md': '- **C-1** One.\n- **C-2** Two.\n',
      'areas/identity/test/all.deep.test.ts': "test('[C-2] for hours', () => {})\n",
      'docs/reference/contract.md': row('C-2', ''),
    },
    'docs/reference/contract.md: CT-C-1 names C-2, which no test cites',
  ],
  [
    'a statement that stands twice',
    { 'docs/reference/contract.md': row('C-1', '`areas/identity/test/intent.test.ts`').repeat(2) },
    'docs/reference/contract.md: CT-C-1 stands twice',
  ],
  [
    'a statement with a test that is not the one',
    { 'docs/reference/contract.md': row('C-1', '`areas/identity/test/gone.test.ts`') },
    'docs/reference/contract.md: the tests of CT-C-1 have changed; run "pnpm contract"',
  ],
  [
    'a Node for people that is not the one of CI',
    { '.nvmrc': '20.1.0\n' },
    '.nvmrc: says 20.1.0, and NODE_VERSION of .ci/setup says 24.1.0',
  ],
  [
    'a pnpm in the manifest that is not the one of CI',
    { 'package.json': JSON.stringify({ packageManager: 'pnpm@12.2.0' }) },
    'package.json: says 12.2.0, and PNPM_VERSION of .ci/setup says 12.1.0',
  ],
  [
    'a file that has outgrown its room',
    { 'areas/identity/src/big.ts': 'export {}\n'.repeat(501) },
    'areas/identity/src/big.ts: has 501 lines, more than 500',
  ],
])('%s is found', (_, changes, expected) => {
  expect(checkTree(changes)).toContain(expected)
})

test('this checkout has no violations, and was really read', () => {
  const root = join(import.meta.dirname, '../..')
  const report = checkCheckout(root)
  expect(report.packages).toBeGreaterThan(5)
  expect(report.files).toBeGreaterThan(50)
  expect(report.violations).toEqual([])
})

test('a package that is published says what it is', () => {
  const withReadme = (text: string) =>
    checkTree({ 'packages/client/package.json': text, 'packages/client/README.md': '# Client\n' })
  expect(withReadme(published())).toEqual([])
  expect(checkTree({ 'packages/client/package.json': published() })).toEqual([
    'packages/client/package.json: has no README.md',
  ])
  const faults = [
    { license: undefined },
    { repository: { url: 'git+https://example.com/p.git', directory: 'packages/other' } },
    { publishConfig: { access: 'public', exports: {} } },
    { publishConfig: undefined },
  ].map((change) => withReadme(published(change)).join('\n'))
  expect(faults).toEqual([
    expect.stringContaining('has no license'),
    expect.stringContaining('has no repository with its folder'),
    expect.stringContaining('publishes other exports than it has'),
    expect.stringContaining('has no publishConfig with public access'),
  ])
})
