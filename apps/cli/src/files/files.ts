import { createWriteStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ContentChange } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'

interface Reasoned extends ServerWord {
  readonly reason?: string
}

/** `patchbay files ls`. */
export async function list(
  task: Task,
  text: string,
  folder: string | undefined,
  words: ServerWord & { readonly recursive?: boolean },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async ({ workspace, name }) => {
    const { recursive = false } = words
    const found = await workspace.files.list({ recursive, ...(folder === undefined ? {} : { folder }) })
    const rows = [
      ...found.folders.map(({ path, files, bytes }) => [
        `${stripHidden(path)}/`,
        bytesInWords(bytes),
        counted(files, 'file'),
      ]),
      ...found.files.map(({ path, size, changedAt, changedBy }) => [
        stripHidden(path),
        bytesInWords(size),
        `${timeInWords(changedAt)} by ${stripHidden(changedBy.handle)}`,
      ]),
    ]
    const none =
      folder === undefined ? `${name} has no files yet.` : `${name} has no folder ${stripHidden(folder)}.`
    return { json: found, text: rows.length === 0 ? none : tableOf(rows) }
  })
}

/** `patchbay files cat`: to standard output as it is, or into a file. */
export async function cat(
  task: Task,
  text: string,
  path: string,
  words: ServerWord & { readonly revision?: number; readonly output?: string; readonly force?: boolean },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async ({ workspace }) => {
    const { body, size, revision } = await workspace.files.open(path, { revision: words.revision })
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
    if (words.output === undefined) {
      // What somebody put into a file must not speak to the terminal.
      if (task.surroundings.isTerminal === true) return { json: undefined, text: await shownText(source) }
      for await (const chunk of source) await task.surroundings.writeBytes(chunk as Buffer)
      return { json: undefined, text: '' }
    }
    await pipeline(source, createWriteStream(words.output, { flags: words.force === true ? 'w' : 'wx' }))
    return {
      json: { path, revision, size, file: words.output },
      text: `Wrote ${words.output} (${bytesInWords(size)}).`,
    }
  })
}

async function shownText(source: Readable): Promise<string> {
  const lines = (await readText(source)).trimEnd().split('\n')
  return lines.map((line) => line.split('\t').map(stripHidden).join('\t')).join('\n')
}

/** `patchbay files put`. */
export async function put(
  task: Task,
  text: string,
  file: string,
  path: string | undefined,
  words: Reasoned & { readonly replace?: boolean },
): Promise<Outcome> {
  const { size } = await stat(file)
  return await withWorkspace(task, text, words, 'files:write', async ({ workspace, name }) => {
    const target = path === undefined || path.endsWith('/') ? `${path ?? ''}${basename(file)}` : path
    const options = {
      reason: words.reason,
      ...(words.replace === true ? { ifRevision: 'any' as const } : {}),
    }
    const written = await workspace.files.write(target, await openAsBlob(file), options)
    return {
      json: written,
      text: `${name} has ${stripHidden(written.path)} (${bytesInWords(size)}), revision ${written.revision}.`,
    }
  })
}

/** `patchbay files rm`. */
export async function remove(task: Task, text: string, path: string, words: Reasoned): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:write', async ({ workspace }) => {
    const changed = await workspace.files.change([{ op: 'delete', path: asPath(path) }], words)
    return {
      json: changed,
      text: `Deleted ${stripHidden(path)} (${counted(changed.paths, 'file')}), revision ${changed.revision}. History keeps it.`,
    }
  })
}

/** `patchbay files mv`. */
export async function move(
  task: Task,
  text: string,
  from: string,
  to: string,
  words: Reasoned,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:write', async ({ workspace }) => {
    const path = asPath(from)
    const target = to.endsWith('/') ? `${to}${path.split('/').at(-1) ?? ''}` : to
    const changed = await workspace.files.change([{ op: 'move', path, to: target }], words)
    return {
      json: changed,
      text: `Moved ${stripHidden(path)} to ${stripHidden(target)} (${counted(changed.paths, 'path')}), revision ${changed.revision}.`,
    }
  })
}

/** `patchbay files history`. */
export async function history(
  task: Task,
  text: string,
  path: string | undefined,
  words: ServerWord & { readonly limit?: number },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async ({ workspace, name }) => {
    const changes = await workspace.files.history({ path, limit: words.limit ?? 50 })
    const none =
      path === undefined
        ? `The files of ${name} were never changed.`
        : `${name} never had ${stripHidden(path)}.`
    return { json: { changes }, text: changes.length === 0 ? none : tableOf(changes.map(rowOf)) }
  })
}

function rowOf({ revision, at, by, paths, reason, author }: ContentChange): string[] {
  const who = author === null ? by.handle : `${author.name}, brought in by ${by.handle}`
  return [
    String(revision),
    timeInWords(author?.at ?? at),
    stripHidden(who),
    counted(paths, 'file'),
    stripHidden(reason ?? ''),
  ]
}

/** `patchbay files restore`: one path, or everything. */
export async function restore(
  task: Task,
  text: string,
  path: string | undefined,
  words: Reasoned & { readonly revision: number; readonly all?: boolean },
): Promise<Outcome> {
  if ((path === undefined) !== (words.all === true))
    throw new Refusal(EXIT.usage, 'bad_arguments', 'Name a file, or say --all to restore everything.')
  return await withWorkspace(task, text, words, 'files:write', async ({ workspace, name }) => {
    const { revision } = words
    const changed =
      path === undefined
        ? await workspace.files.restore(revision, words)
        : await workspace.files.change([{ op: 'restore', path, revision }], words)
    const what = path === undefined ? `Everything in ${name}` : stripHidden(path)
    const said =
      changed.paths === 0
        ? `${what} is as it was after revision ${revision} already.`
        : `${what} is as it was after revision ${revision} (${counted(changed.paths, 'file')}), as revision ${changed.revision}.`
    return { json: changed, text: said }
  })
}

const asPath = (text: string) => text.replace(/\/$/, '')
