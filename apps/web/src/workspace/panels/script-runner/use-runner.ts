import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LogEntry, PanelHost } from '../../panel-definition.ts'
import { createSandbox } from '../../sandbox/create-sandbox.ts'
import type { Sandbox, ScriptResult } from '../../sandbox/sandbox-port.ts'
import { nameOf, parentOf } from '../files/file-tree.ts'
import { type OutputLine, toneOf, withLine, withResult } from './output.ts'
import { createProjectFiles, fetchBeside, type ProjectFiles, SCRIPT_FILES } from './project-files.api.ts'
import { languageOfScript } from './script-file.ts'
import { words } from './words.ts'

/** What is run: the text of a file, or without a path one that is none. */
export interface RunnableScript {
  readonly code: string | (() => Promise<string>)
  readonly path?: string
}

export interface Runner {
  readonly lines: readonly OutputLine[]
  readonly isReady: boolean
  readonly isRunning: boolean
  /** What came of it; `undefined` if it did not run. Throws what reading the script has thrown. */
  readonly run: (script: RunnableScript, timeoutMs: number) => Promise<ScriptResult | undefined>
  readonly stop: () => void
  readonly clear: () => void
}

/** Runs scripts in an isolated frame below the element, and collects what they print. */
export function useRunner(element: RefObject<HTMLElement | null>, title: string, host: PanelHost): Runner {
  const { log, workspace } = host
  const made = useRef<{ sandbox: Sandbox; files: ProjectFiles; signal: AbortSignal }>(null)
  const [isReady, setReady] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [lines, setLines] = useState<readonly OutputLine[]>([])
  const about = useRef(title)
  useEffect(() => {
    about.current = title
  }, [title])
  useEffect(() => {
    if (element.current === null) return undefined
    const stop = new AbortController()
    const files = createProjectFiles(workspace, stop.signal)
    const sandbox = createSandbox(element.current, {
      connect: [],
      title: words.frame,
      files,
      onReady: setReady,
      onConsole({ level, text }) {
        setLines((before) => withLine(before, toneOf(level), text))
        log.add({ source: 'console', level: logLevel(level), text, about: about.current })
      },
    })
    made.current = { sandbox, files, signal: stop.signal }
    return () => {
      made.current = null
      stop.abort()
      sandbox.dispose()
    }
  }, [element, log, workspace])

  const say = (tone: OutputLine['tone'], text: string) => setLines((before) => withLine(before, tone, text))

  async function start(
    code: string,
    path: string | undefined,
    timeoutMs: number,
  ): Promise<ScriptResult | undefined> {
    if (made.current === null) return undefined
    const { sandbox, files, signal } = made.current
    const folder = path === undefined ? '' : parentOf(path)
    const language = path === undefined ? 'javascript' : languageOfScript(path)
    if (language === undefined) {
      say('error', words.source.unknown.detail(path ?? ''))
      return undefined
    }
    files.begin(folder)
    const beside = language === 'python' ? await fetchBeside(workspace, folder, signal) : undefined
    if (beside !== undefined && beside.leftOut > 0)
      say('warn', words.output.leftOut(beside.leftOut, SCRIPT_FILES.beside.bytes))
    const name = path === undefined ? words.output.thisScript : nameOf(path)
    const script = { language, code, name, folder, files: beside?.files ?? [] }
    // A file begins with nothing; the panel's own script goes on with what it has made, as a console does.
    const result = await sandbox.runScript(script, timeoutMs, path === undefined)
    setLines((before) => withResult(before, result, name))
    return result
  }

  return {
    lines,
    isReady,
    isRunning,
    async run({ code, path }, timeoutMs) {
      // A second run would wait for the first, which nobody sees.
      if (isRunning) return undefined
      setRunning(true)
      setLines([])
      try {
        const text = typeof code === 'string' ? code : await code()
        return await start(text, path, timeoutMs).catch(() => {
          say('error', path === undefined ? words.output.notRun : words.output.noFolder)
          return undefined
        })
      } finally {
        setRunning(false)
      }
    },
    stop: () => void made.current?.sandbox.reset(),
    clear: () => setLines([]),
  }
}

function logLevel(level: string): LogEntry['level'] {
  return level === 'debug' || level === 'warn' || level === 'error' ? level : 'info'
}
