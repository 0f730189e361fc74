import type { CliSurroundings } from '../terminal/surroundings.ts'

type SpinnerSurroundings = Pick<CliSurroundings, 'terminal' | 'environment'>

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const EVERY_MS = 100
const CLEAR_LINE = '\r\u001B[K'

/** What a terminal has that does not say. */
const USUAL_COLUMNS = 80

/** Shows that something is being waited for, to somebody who looks; a file or a pipe gets nothing. */
export function startSpinner(text: string, { terminal, environment }: SpinnerSurroundings): Disposable {
  const isStill = environment['TERM'] === 'dumb'
  if (isStill && terminal.isInteractive) terminal.write(`${text}\n`)
  if (isStill || !terminal.isInteractive) return { [Symbol.dispose]: () => undefined }
  let frame = 0
  const draw = () => {
    // A line that wraps is not cleared as a whole: every frame would leave a copy behind.
    const room = (terminal.columns() || USUAL_COLUMNS) - 1
    terminal.write(CLEAR_LINE + `${FRAMES[frame % FRAMES.length]} ${text}`.slice(0, room))
    frame += 1
  }
  draw()
  let timer: NodeJS.Timeout | undefined = setInterval(draw, EVERY_MS)
  return {
    [Symbol.dispose]() {
      // Once: a second time there is other text on the line.
      if (timer !== undefined) terminal.write(CLEAR_LINE)
      clearInterval(timer)
      timer = undefined
    },
  }
}
