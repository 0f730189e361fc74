import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Layout, Problem } from '@patchbay/client/workspaces'
import { EXIT } from '../account/ending.ts'
import { findingLines } from '../command/findings.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { type ServerWord, withWorkspace } from './open-workspaces.ts'

/** `patchbay workspace export`. */
export async function exportLayout(
  task: Task,
  text: string,
  file: string | undefined,
  words: ServerWord & { readonly force?: boolean },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    const { version, layout } = await workspace.current()
    const document = { version, layout }
    const written = `${JSON.stringify(document, null, 2)}\n`
    if (file === undefined) return { json: document, text: written.trimEnd() }
    await writeFile(file, written, { flag: words.force === true ? 'w' : 'wx' })
    return {
      json: { file: resolve(file), version },
      text: `Wrote the layout of ${name}, version ${version}, to ${file}`,
    }
  })
}

/** `patchbay workspace import`. */
export async function importLayout(
  task: Task,
  text: string,
  file: string,
  words: ServerWord,
): Promise<Outcome> {
  const layout = layoutIn(await readFile(file, 'utf8'), file)
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    const { version: before } = await workspace.current()
    const version = await workspace.replaceLayout(before, layout).catch((error: unknown) => {
      throw layoutFaults(error, file) ?? error
    })
    return {
      json: { version },
      text: `${name} has the layout of ${file} now. Tabs that were there before still show what they showed; new ones are empty.`,
    }
  })
}

/** What `export` wrote, or a layout alone. What is inside is for the server to judge. */
function layoutIn(text: string, file: string): Layout {
  const refused = (why: string) =>
    new Refusal(
      EXIT.failed,
      'no_layout',
      `${file} holds no layout: ${why}.\n"patchbay workspace export" writes one.`,
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('it is no JSON')
  }
  const { layout = value } = Object(value) as { layout?: unknown }
  if (typeof layout !== 'object' || layout === null || !('root' in layout))
    throw refused('there is no "root" in it')
  return layout as Layout
}

/** What is wrong with it, each at its place. */
function layoutFaults(error: unknown, file: string): Refusal | undefined {
  const errors = error instanceof Problem ? error.extensions['errors'] : undefined
  if (!Array.isArray(errors)) return undefined
  const findings = errors.map((each: unknown) => {
    const { pointer, message } = Object(each) as Record<string, unknown>
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return { pointer: text(pointer), message: text(message) }
  })
  const lines = [...findingLines(file, findings), 'The layout was not replaced.']
  return new Refusal(EXIT.failed, 'invalid_layout', lines.join('\n'), { errors: findings })
}
