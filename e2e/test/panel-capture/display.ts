import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const XVFB = '/usr/bin/Xvfb'
export const hasDisplays = existsSync(XVFB)
export const DISPLAY_SIZE = { width: 1280, height: 800 }

/** A display that nobody sees, as the one of this process, until it is disposed of. */
export async function startDisplay(): Promise<AsyncDisposable> {
  const { width, height } = DISPLAY_SIZE
  const child = spawn(
    XVFB,
    ['-displayfd', '1', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const number = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('Xvfb did not start')))
  })
  const { DISPLAY } = process.env
  process.env['DISPLAY'] = `:${number}`
  return {
    async [Symbol.asyncDispose]() {
      if (DISPLAY === undefined) delete process.env['DISPLAY']
      else process.env['DISPLAY'] = DISPLAY
      child.kill()
      await ended
    },
  }
}
