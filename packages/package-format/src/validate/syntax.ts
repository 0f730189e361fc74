import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import type { Finding } from './finding.ts'
import type { Position } from './positions.ts'
import { endOfShallow } from './shallow.ts'

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no JSON value: texts stand in double quotes',
  InvalidNumberFormat: 'this is no JSON number',
  PropertyNameExpected: 'a key in double quotes must stand here; is there a comma too many?',
  ValueExpected: 'a value must stand here; is there a comma too many?',
  ColonExpected: 'a colon must stand here',
  CommaExpected: 'a comma must stand here',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'the document must end here',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the text must end on this line, with a double quote',
  UnexpectedEndOfNumber: 'the number is cut off',
  InvalidUnicode: 'a \\u must be followed by four hex digits',
  InvalidEscapeCharacter: 'a backslash must be doubled, or stand before one of "\\/bfnrtu',
  InvalidCharacter: 'control characters such as tabs must be escaped within texts',
}

/** Why a text is not JSON. Only the first fault is sure; the rest may just follow from it. */
export function explainSyntax(text: string, positionOf: (offset: number) => Position): Finding {
  const fault = findFirstFault(text)
  const message = `not JSON: ${text.trim() === '' ? 'the document is empty' : wordsOf(fault)}`
  const position = positionOf(fault?.offset ?? text.length)
  return { pointer: '', ...position, message, severity: 'error', code: 'syntax' }
}

function wordsOf(fault: Fault | undefined): string {
  const words = fault === undefined ? undefined : WORDS[printParseErrorCode(fault.error)]
  return words ?? 'something else must stand here'
}

interface Fault {
  readonly error: ParseErrorCode
  readonly offset: number
}

function findFirstFault(text: string): Fault | undefined {
  const faults: Fault[] = []
  visit(
    // This parser recurses, so it is shown only as much as nests within bounds.
    text.slice(0, endOfShallow(text)),
    { onError: (error, offset) => void (faults.length === 0 && faults.push({ error, offset })) },
    { disallowComments: true, allowTrailingComma: false },
  )
  return faults[0]
}
