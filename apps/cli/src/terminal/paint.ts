import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** Text in color where somebody looks at it; elsewhere, and where `NO_COLOR` is set, the text as it is. */
export type Paint = (format: Format, text: string) => string

export function paintFor(stream: NodeJS.WriteStream, { FORCE_COLOR }: NodeJS.ProcessEnv): Paint {
  // Looked up here: `styleText` of Node 20 does not look at the stream, and would write colors into files.
  const hasColors = stream.isTTY ? stream.hasColors() : !['', '0'].includes(FORCE_COLOR ?? '')
  return (format, text) => (hasColors ? styleText(format, text, { validateStream: false }) : text)
}

const STATUS_FORMATS: Readonly<Record<string, Format>> = {
  stable: 'green',
  testing: 'yellow',
  development: 'yellow',
  deprecated: 'red',
}

/** How settled a version is. */
export function paintStatus(paint: Paint, status: string, text = status): string {
  const format = STATUS_FORMATS[status]
  return format === undefined ? text : paint(format, text)
}

/** The first line says what went wrong; those after it what to do. */
export function failureText(paint: Paint, message: string): string {
  const [first = '', ...rest] = message.split('\n')
  return [paint('red', first), ...rest].join('\n')
}
