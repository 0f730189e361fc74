import { access, constants, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ScreenshotOptions } from '@patchbay/client/workspaces'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from './open-workspaces.ts'
import { pickTab } from './pick-tab.ts'
import { requireKind } from './reachable.ts'

export interface ScreenshotWords extends ServerWord {
  readonly panel?: string
  readonly screen?: boolean
  readonly method?: 'element-capture' | 'html2canvas'
  readonly out?: string
  readonly force?: boolean
  readonly reason?: string
  /** Seconds. */
  readonly wait?: number
  readonly timeout?: number
}

/** `patchbay screenshot`. */
export async function takeScreenshot(task: Task, text: string, words: ScreenshotWords): Promise<Outcome> {
  if (words.panel !== undefined && words.screen === true)
    throw new Refusal(
      EXIT.usage,
      'bad_option',
      '--panel and --screen do not go together: it is one or the other.',
    )
  return await withWorkspace(task, text, words, 'screenshot', async (asked) => {
    const file = words.out ?? nameFor(asked.workspace.repo, task.surroundings.now())
    // Told before a person is asked to share: a picture that cannot be kept is not worth their while.
    await access(dirname(resolve(file)), constants.W_OK)
    if (words.force !== true) await requireFree(file)
    using progress = task.progress('Taking the picture')
    progress.update(0)
    const { png, capture } = await asked.workspace.screenshotPng(await wishOf(asked, words))
    await writeFile(file, png, { flag: words.force === true ? 'w' : 'wx' })
    return { json: { file: resolve(file), ...capture }, text: resolve(file) }
  })
}

async function wishOf(asked: AskedWorkspace, words: ScreenshotWords): Promise<ScreenshotOptions> {
  const { panel, screen, method, reason, timeout, wait = 0 } = words
  const common = {
    waitForSharing: wait * 1000,
    ...(method === undefined ? {} : { method }),
    ...(reason === undefined ? {} : { reason }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  }
  if (panel === undefined) return { scope: screen === true ? 'screen' : 'workspace', ...common }
  const tab = pickTab(await asked.workspace.current(), panel)
  if (method === 'html2canvas') requireKind(tab, ['sandbox'], asked)
  const { panelId, tabId } = tab
  return { scope: 'panel', panelId, tabId, ...common }
}

/** `screenshot-board-20260213-090501.png`. */
function nameFor(repo: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `screenshot-${repo}-${time}.png`
}

async function requireFree(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw new Refusal(
      EXIT.failed,
      'eexist',
      `${file} is there already.\nName another file with --out, or add --force to overwrite it.`,
    )
}
