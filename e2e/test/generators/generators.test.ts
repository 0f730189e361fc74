import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deepTest } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 240_000 })

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const run = promisify(execFile)
const DOCUMENTS = ['openapi', 'gateway-openapi', 'viewer-openapi', 'watchdog-openapi']
const BINARIES = at('../../node_modules/.bin/')

/** What each is asked for a document. Neither is told to leave anything out or to be lenient. */
const GENERATORS: Readonly<Record<string, (document: string, out: string) => [string, readonly string[]]>> = {
  'openapi-typescript': (document, out) => ['openapi-typescript', [document, '--output', `${out}.ts`]],
  '@hey-api/openapi-ts': (document, out) => [
    'openapi-ts',
    ['--input', document, '--output', out, '--no-log-file'],
  ],
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: false,
  },
  include: ['**/*.ts'],
}

/** Programs that use what was made. The last line of each asks for what the contract does not have. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-typescript.ts': `import type { paths } from './openapi-typescript/openapi'
type Answer<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } } ? Body : never
type Listed = Answer<'/api/workspaces/editor/{owner}/{repo}/files'>
export const size = (listed: Listed): number | undefined => listed.files[0]?.size
export const handle = (who: Answer<'/auth/whoami'>): string => who.person.handle
export const wrong = (listed: Listed): string | undefined => listed.files[0]?.size
`,
  'hey-api.ts': `import { createClient } from './@hey-api/openapi-ts/openapi/client/index'
import { listFiles, whoami } from './@hey-api/openapi-ts/openapi/index'
const client = createClient({ baseUrl: 'https://patchbay.example.com', headers: { 'x-api-key': 'pbk_x' } })
export const handle = async (): Promise<string | undefined> => (await whoami({ client })).data?.person.handle
export const files = async () => (await listFiles({ client, path: { owner: 'ada', repo: 'bench' } })).data?.files
export const wrong = await listFiles({ client, path: { owner: 'ada' } })
`,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-generators-'))
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

// Of every run: what they make is read by the test below.
for (const [name, command] of Object.entries(GENERATORS))
  for (const document of DOCUMENTS)
    test(`[J-114] ${name} takes ${document}.json without an error or a warning`, async () => {
      const [binary, args] = command(
        at(`../../../docs/reference/${document}.json`),
        join(folder, name, document),
      )
      const { stdout, stderr } = await run(join(BINARIES, binary), [...args], { cwd: folder })
      expect(`${stdout}${stderr}`).not.toMatch(/warn|error|invalid|⚠|✖/i)
    })

deepTest('[J-114] what they make is type-checked, with programs that use it', async () => {
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  const checked = await run(at('../../../node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false']).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  const errors = checked.split('\n').filter((line) => line.includes('error TS'))
  expect(errors.map((line) => line.replace(/^.*?([\w-]+\.ts)\((\d+),.*/, '$1 $2'))).toEqual([
    'hey-api.ts 6',
    'openapi-typescript.ts 6',
  ])
})
