import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CliUser, createCliUser } from '../client/run-cli.ts'
import type { ClientServer } from '../client/start-server.ts'

/** Somebody who makes packages, with a folder `blinky` that holds one. */
export interface Author extends CliUser {
  readonly package: string
  signIn(): Promise<void>
  setVersion(version: string): Promise<void>
}

export async function createAuthor(
  server: ClientServer,
  identifier: string,
  environment: Record<string, string> = {},
): Promise<Author> {
  const user = await createCliUser({ PATCHBAY_SERVER_URL: server.url, ...environment })
  const folder = join(user.home, 'blinky')
  const keep = ['--keep-on-update', 'settings\\.ini$']
  const begun = await user.run(
    'package',
    'init',
    folder,
    '--identifier',
    identifier,
    '--status',
    'stable',
    ...keep,
  )
  if (begun.code !== 0) throw new Error(begun.stderr)
  await writeFile(join(folder, 'plugins', 'settings.ini'), 'as shipped')
  const metadata = join(folder, 'metadata.json')
  return {
    ...user,
    package: folder,
    async signIn() {
      const running = user.begin('login', '--no-browser')
      await server.ada.approve(await running.link())
      await running.ended
    },
    async setVersion(version) {
      const text = await readFile(metadata, 'utf8')
      await writeFile(metadata, text.replace(/"version": "[^"]+"/, `"version": "${version}"`))
    },
  }
}
