import { spawn } from 'node:child_process'
import type { CliSurroundings } from '../terminal/surroundings.ts'

/** A program that cannot show a page says so soon. */
const SOON_MS = 500

/** Opens a link in the browser of this machine; false when that is seen to fail. The browser outlives this process. */
export async function openBrowser(url: string, surroundings: CliSurroundings): Promise<boolean> {
  const [program, ...args] = opener(surroundings)
  return await new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
    const timer = setTimeout(() => resolve(true), SOON_MS)
    const answer = (isOpened: boolean) => {
      clearTimeout(timer)
      resolve(isOpened)
    }
    child.once('error', () => answer(false))
    child.once('exit', (code) => answer(code === 0))
    child.unref()
  })
}

function opener({ environment, platform }: CliSurroundings): readonly [string, ...string[]] {
  const { PATCHBAY_BROWSER: chosen } = environment
  if (chosen !== undefined && chosen !== '') return [chosen]
  if (platform === 'darwin') return ['open']
  // Not `start`: the command interpreter would read the & of an address as the end of its command.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}
