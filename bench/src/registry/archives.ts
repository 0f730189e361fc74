import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packFolder } from '@patchbay/package-archive'
import { syntheticPackage } from './synthetic-package.ts'

/** The smallest picture there is. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const CODE = Array.from({ length: 400 }, (_, line) => `value_${line} = compute(${line * 7919})`).join('\n')

/** A next version of each of these packages, packed as an author would pack it. */
export async function packNextVersions(numbers: readonly number[]): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-pack-'))
  try {
    const content = join(folder, 'content')
    await mkdir(join(content, 'plugins'), { recursive: true })
    await mkdir(join(content, 'resources'))
    await writeFile(join(content, 'resources', 'icon.png'), ICON)
    const archives: Buffer[] = []
    for (const number of numbers) {
      const out = join(folder, `${number}.zip`)
      await writeFile(join(content, 'metadata.json'), JSON.stringify(nextVersionOf(number)))
      await writeFile(join(content, 'plugins', '__init__.py'), `number = ${number}\n${CODE}\n`)
      await packFolder(content, { out })
      archives.push(await readFile(out))
    }
    return archives
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function nextVersionOf(number: number) {
  return {
    ...syntheticPackage(number),
    type: 'plugin',
    versions: [
      { version: '2.0.0', status: 'stable', tool_version: '8.0', platforms: ['linux', 'macos', 'windows'] },
    ],
  }
}
