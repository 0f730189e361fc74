import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { UserError } from '../../../errors/user-error.ts'
import type { ScriptLanguage } from '../../sandbox/sandbox-port.ts'
import { isGone } from '../files/explain.ts'
import { textOf } from '../files/file-content.ts'
import { fetchContent } from '../files/history.api.ts'
import { words } from './words.ts'

const LANGUAGES: Readonly<Record<string, ScriptLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  py: 'python',
}

/** By the ending of its name; `undefined` for what cannot be run. */
export function languageOfScript(path: string): ScriptLanguage | undefined {
  return LANGUAGES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '']
}

/** The text of a script as it is stored now, or why it cannot be run. */
export async function readScript(
  workspace: WorkspaceRef,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  if (languageOfScript(path) === undefined) throw refusal('unknown', path)
  const bytes = await fetchContent(workspace, { path, most: SANDBOX_LIMITS.codeLength }, signal).catch(
    (error: unknown) => {
      throw isGone(error) ? refusal('gone', path) : error
    },
  )
  if (bytes.byteLength > SANDBOX_LIMITS.codeLength) throw refusal('tooLarge', path)
  const text = textOf(bytes)
  if (text === undefined) throw refusal('notText', path)
  return text
}

function refusal(why: 'unknown' | 'gone' | 'tooLarge' | 'notText', path: string): UserError {
  const { title, detail } = words.source[why]
  return new UserError(title, detail(path))
}
