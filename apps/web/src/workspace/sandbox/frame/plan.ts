import {
  AsyncFunctionOf,
  apply,
  FunctionOf,
  matches,
  runScript,
  slice,
  trimEnd,
  trimStart,
} from './intrinsics.ts'

/** How code is run: as a script, or as the body of an async function. */
export interface Plan {
  readonly isBody: boolean
  readonly text: string
}

/** Of all texts that are tried together. Looking for the last value of a long program must not take long itself. */
const MOST_TRIED = 4_000_000
const AWAIT = /\bawait\b/
/** What goes on with the line before it. */
const CONTINUATION = /^(?:[([/+\-*.,?:%&|^<>=`]|(?:in|instanceof)\b)/
/** As an expression it would declare nothing, or be an object instead of a block. */
const STATEMENT = /^(?:\{|(?:async\s+)?function\b|class\b)/

/** A script if it is one. Code that awaits, or returns, at its top is none, and becomes the body of an async function. */
export function planFor(code: string): Plan {
  const awaits = matches(AWAIT, code) !== null
  if (isScript(code) && !(awaits && !isWithoutAwait(code) && isBody(code)))
    return { isBody: false, text: code }
  // As a script it says itself what is wrong with it.
  if (!isBody(code)) return { isBody: false, text: code }
  return { isBody: true, text: returningLast(code) }
}

/** Whether it can be read at all. */
export function isReadable(code: string): boolean {
  return isScript(code) || isBody(code)
}

/** The same body, with `return` before its last expression, if it ends with one. */
function returningLast(code: string): string {
  const text = withoutEnd(code)
  let left = MOST_TRIED
  for (let at = text.length; at >= 0 && left > 0; at -= 1) {
    const before = at === 0 ? '\n' : text[at - 1]
    if (before !== ';' && before !== '\n' && before !== '}') continue
    const head = slice(text, 0, at)
    const tail = slice(text, at)
    const start = trimStart(tail)
    if (start === '' || matches(STATEMENT, start) !== null) continue
    if (before !== ';' && at !== 0 && matches(CONTINUATION, start) !== null) continue
    left -= 2 * text.length
    // Without the bracket's newline a comment at the end would swallow it; with one before `return`, a comment would end there.
    const returning = `${head};return (${tail}\n)`
    if (isBody(head) && isBody(returning)) return returning
  }
  return code
}

function withoutEnd(code: string): string {
  let text = trimEnd(code)
  for (let count = 0; count < 10 && text[text.length - 1] === ';'; count += 1)
    text = trimEnd(slice(text, 0, -1))
  return text
}

/** Whether it compiles, by a script that stops before its first statement. */
function isScript(code: string): boolean {
  try {
    apply(runScript, undefined, [`throw null;\n${code}`])
    return false
  } catch (error) {
    return error === null
  }
}

/** Bodies of classes take neither `await` nor a name that is spelt so, other than in functions inside. */
function isWithoutAwait(code: string): boolean {
  return compiles(FunctionOf, `class Checked { static {\n${code}\n} }`)
}

function isBody(code: string): boolean {
  return compiles(AsyncFunctionOf, code)
}

function compiles(make: typeof Function, text: string): boolean {
  try {
    return typeof new make(text) === 'function'
  } catch {
    return false
  }
}
