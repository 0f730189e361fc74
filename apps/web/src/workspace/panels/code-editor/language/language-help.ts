import type { Extension } from '@codemirror/state'
import type { PanelHost } from '../../../panel-definition.ts'
import { words } from '../words.ts'
import { createHelpFiles } from './help-files.api.ts'
import { createHelpLine, type HelpLine } from './help-line.ts'

/** What a language can be helped with, each in a worker of its own. */
const WORKERS = {
  json: {
    name: words.languages.json,
    makeWorker: () => new Worker(new URL('./json.worker.ts', import.meta.url), { type: 'module' }),
    deadlineMs: 5_000,
    firstDeadlineMs: 30_000,
  },
  javascript: {
    name: words.help.javascript,
    makeWorker: () => new Worker(new URL('./typescript.worker.ts', import.meta.url), { type: 'module' }),
    deadlineMs: 15_000,
    // A megabyte of code over a slow line, and all declarations of a browser to read.
    firstDeadlineMs: 90_000,
  },
} as const

type HelpedLanguage = keyof typeof WORKERS

export const isHelped = (language: string): language is HelpedLanguage => Object.hasOwn(WORKERS, language)

interface Helper {
  readonly line: HelpLine
  readonly stopFollowing: () => void
  /** Editors that use it. */
  users: number
  ending?: ReturnType<typeof setTimeout> | undefined
}

/** One of each for all editors of the page. */
const helpers = new Map<HelpedLanguage, Helper>()
/** A worker holds a hundred megabytes; whoever opens the next file soon finds it there. */
const KEPT_MS = 60_000
/** Saving what somebody types tells of changed files every second. */
const FORGET_EVERY_MS = 10_000

/** Help for one editor with its file. The second function gives it back. */
export async function openHelp(
  host: PanelHost,
  language: HelpedLanguage,
  path: string,
): Promise<{ readonly extension: Extension; readonly close: () => void }> {
  const { helpExtension } = await import('./help-extension.ts')
  const helper = helpers.get(language) ?? start(host, language)
  helpers.set(language, helper)
  clearTimeout(helper.ending)
  helper.users += 1
  let isOpen = true
  return {
    extension: helpExtension(helper.line, nameFor(language, path)),
    close() {
      if (!isOpen) return
      isOpen = false
      helper.users -= 1
      if (helper.users > 0) return
      helper.ending = setTimeout(() => {
        if (helper.users > 0) return
        helpers.delete(language)
        helper.stopFollowing()
        helper.line.stop()
      }, KEPT_MS)
    },
  }
}

/** What is open under no name, or another one, is of the chosen language all the same. */
function nameFor(language: HelpedLanguage, path: string): string {
  const isNamed = language === 'json' ? path !== '' : /\.[cm]?[jt]sx?$/.test(path)
  return isNamed ? path : `${path === '' ? 'untitled' : path}.${language === 'json' ? 'json' : 'ts'}`
}

function start(host: PanelHost, language: HelpedLanguage): Helper {
  const { name, ...bounds } = WORKERS[language]
  const files = createHelpFiles(host.workspace)
  const line = createHelpLine({
    ...bounds,
    readFile: (paths) => files.read(paths),
    onGivenUp: () => host.log.add({ source: 'workspace', level: 'warn', text: words.help.givenUp(name) }),
  })
  let forgetting: ReturnType<typeof setTimeout> | undefined
  const stopFollowing = host.follow((news) => {
    if (news === 'away') return
    forgetting ??= setTimeout(() => {
      forgetting = undefined
      files.forget()
      line.forget()
    }, FORGET_EVERY_MS)
  })
  return { line, stopFollowing, users: 0 }
}
