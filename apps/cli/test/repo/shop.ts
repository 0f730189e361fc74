import { readFile, writeFile } from 'node:fs/promises'
import type { User } from '../user.ts'

/** A folder `packages` with one package, and the repository `public` that is built from it. */
export async function buildShop(user: User, ...more: string[]): Promise<void> {
  await user.run('package', 'init', 'packages/blinky', '--status', 'stable')
  await writeFile(user.at('packages/blinky/plugins/main.py'), 'print(1)\n')
  await build(user, ...more)
}

export async function build(user: User, ...more: string[]): Promise<void> {
  const { code, stderr } = await user.run(...buildArgs(user), ...more)
  if (code !== 0) throw new Error(stderr)
}

export function buildArgs(user: User): string[] {
  const address = `file://${user.at('public')}/`
  return ['repo', 'build', 'packages', '--out', 'public', '--name', 'Shop', '--base-url', address]
}

/** The version before is packed beside it, so that the repository has both. */
export async function releaseNext(user: User, from: string, to: string): Promise<void> {
  await user.run('package', 'pack', 'packages/blinky', '--out', `packages/blinky-${from}.zip`)
  const file = user.at('packages/blinky/metadata.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace(`"${from}"`, `"${to}"`))
}
