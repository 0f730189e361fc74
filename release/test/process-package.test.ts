import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeProcess } from '../src/process-package.ts'
import { readWorkspace } from '../src/workspace.ts'

const workspace = readWorkspace()

function describe(name: string) {
  const found = workspace.get(name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return describeProcess(found, workspace)
}

interface Described {
  readonly dependencies: Readonly<Record<string, string>>
  readonly bundleDependencies: readonly string[]
  readonly exports: Readonly<Record<string, string>>
}

test('[RL-2] private parts are inside, published ones are named', () => {
  const { manifest, inside } = describe('@patchbay/server')
  const { dependencies, bundleDependencies, exports } = manifest as Described
  expect(bundleDependencies).toEqual([
    '@patchbay/boards',
    '@patchbay/content',
    '@patchbay/devices',
    '@patchbay/identity',
    '@patchbay/kernel',
    '@patchbay/panels',
    '@patchbay/registry',
  ])
  expect(inside.map(({ from }) => from.manifest.name).toSorted()).toEqual(bundleDependencies)
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['@patchbay/contracts', 'fastify', 'pg']))
  expect(exports).toEqual({ '.': './dist/index.js', './config': './dist/config.js' })
})

test('[RL-2] what is depended on has one exact version', () => {
  for (const name of [
    '@patchbay/server',
    '@patchbay/gateway-app',
    '@patchbay/eda-worker',
    '@patchbay/viewer-app',
  ]) {
    const { dependencies } = describe(name).manifest as Described
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/)
  }
})

test('[RL-2] two versions of one package are refused', async () => {
  await using folder = await plant({
    'app/node_modules/engine/package.json': { name: 'engine', version: '1.0.0' },
    'part/node_modules/engine/package.json': { name: 'engine', version: '2.0.0' },
    'cli/package.json': { repository: { type: 'git', url: 'git+https://example.com/p.git' } },
  })
  const at = (name: string, dependencies: Record<string, string> = {}) => ({
    folder: join(folder.path, name),
    manifest: {
      name: `@patchbay/${name}`,
      version: '1.0.0',
      description: '',
      license: '',
      private: true,
      dependencies,
    },
  })
  const [part, cli] = [at('part', { engine: '*' }), at('cli')]
  const planted = new Map([part, cli].map((each) => [each.manifest.name, each]))
  expect(() => describeProcess(at('app', { '@patchbay/part': '*', engine: '*' }), planted)).toThrow(
    '@patchbay/app would need engine 2.0.0 and 1.0.0',
  )
  expect(describeProcess(at('app', { '@patchbay/part': '*' }), planted).manifest).toMatchObject({
    dependencies: { '@patchbay/part': '1.0.0', engine: '2.0.0' },
    bundleDependencies: ['@patchbay/part'],
  })
})

async function plant(files: Readonly<Record<string, object>>) {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-planted-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), JSON.stringify(content))
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
