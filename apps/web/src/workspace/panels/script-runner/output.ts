import type { SandboxResult } from '@patchbay/contracts/panels'
import type { ScriptResult } from '../../sandbox/sandbox-port.ts'
import { words } from './words.ts'

export type OutputTone = 'log' | 'warn' | 'error' | 'result' | 'quiet'

export interface OutputLine {
  readonly id: number
  readonly tone: OutputTone
  readonly text: string
}

const MOST_LINES = 500

/** The lines with one more; the oldest leave. */
export function withLine(
  lines: readonly OutputLine[],
  tone: OutputTone,
  text: string,
): readonly OutputLine[] {
  const id = (lines.at(-1)?.id ?? 0) + 1
  return [...lines.slice(1 - MOST_LINES), { id, tone, text }]
}

export function toneOf(level: string): OutputTone {
  return level === 'warn' || level === 'error' ? level : level === 'debug' ? 'quiet' : 'log'
}

/** What came of a run, as lines below what it printed. */
export function withResult(
  lines: readonly OutputLine[],
  result: ScriptResult,
  name: string,
): readonly OutputLine[] {
  const { durationMs, error = words.output.failed, line } = result
  if (result.status === 'error') {
    const text = line === undefined ? error : words.output.inLine(error, name, line)
    return withLine(withLine(lines, 'error', text), 'quiet', words.output.failedAfter(durationMs))
  }
  const cut = result.isTruncated === true ? words.output.cutOff : ''
  const shown = result.resultType === 'undefined' ? lines : withLine(lines, 'result', inWords(result) + cut)
  return withLine(shown, 'quiet', words.output.doneIn(durationMs))
}

function inWords({ result, resultType }: SandboxResult): string {
  // Of these the frame sends the text that a console would show.
  const isText = typeof result === 'string' && resultType !== 'string'
  return isText ? result : (JSON.stringify(result, null, 2) ?? 'undefined')
}
