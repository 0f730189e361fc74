import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { serveRepository } from '@patchbay/package-manager/repository'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import { runTask } from '../command/run-task.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'

/** `patchbay repo serve`: until Ctrl-C, which is how it is meant to end. */
export async function serveFolder(
  surroundings: CliSurroundings,
  folder: string,
  { port, json }: { readonly port: number; readonly json?: boolean },
): Promise<void> {
  await runTask(surroundings, { isJson: json === true }, async ({ signal, isJson }) => {
    await requireRepository(folder)
    const { print } = surroundings
    await using served = await serveRepository(folder, {
      port,
      onRequest: ({ path, status }) => {
        if (!isJson) print(`${status} ${stripHidden(path)}`)
      },
    })
    const { url, isRebased } = served
    if (isJson) print(JSON.stringify({ url, is_rebased: isRebased }))
    else
      print(
        [
          `Serving ${folder} at ${url}`,
          ...(isRebased
            ? [
                'It was built for another address: addresses and hashes are those of this one, signatures do not hold.',
              ]
            : []),
          `Try it: patchbay search --repo ${url}`,
          'Ctrl-C stops.',
        ].join('\n'),
      )
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    return { text: 'Stopped.', json: undefined }
  })
}

async function requireRepository(folder: string): Promise<void> {
  const isThere = await access(join(folder, 'repository.json')).then(
    () => true,
    () => false,
  )
  if (!isThere)
    throw new Refusal(
      EXIT.failed,
      'no_repository',
      `${folder} has no repository.json.\nRun "patchbay repo build" to make one.`,
    )
}
