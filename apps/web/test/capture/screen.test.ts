import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { serveCapture, serveOther, share } from './capture-site.ts'

const XVFB = '/usr/bin/Xvfb'

/** A display that nobody sees. It names itself once it is there. */
async function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const process = spawn(XVFB, ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    process.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
    process.once('exit', () => reject(new Error('Xvfb did not start')))
  })
  return { name: `:${number}`, process }
}

test.skipIf(!existsSync(XVFB))(
  "[W-346] C5: a screen that is shared of the person's own accord gives pictures until they stop; one shared in answer gives one",
  async () => {
    const display = await startDisplay()
    const { DISPLAY } = process.env
    process.env['DISPLAY'] = display.name
    await using other = await serveOther()
    await using site = await serveCapture(other.url)
    const browser = await startChromium({
      isWhole: true,
      headless: false,
      args: ['--auto-select-desktop-capture-source=Entire'],
    })
    try {
      const page = await (await browser.newContext({ viewport: null })).newPage()
      await page.goto(site.url)
      await page.evaluate(() => {
        const shared = globalThis as unknown as { capturer: object; createCapturer(options: object): object }
        shared.capturer = shared.createCapturer({ frameMs: 15_000 })
      })
      const take = () =>
        page.evaluate(async () => {
          const { capturer } = globalThis as unknown as {
            capturer: {
              isSharing(scope: string): boolean
              capture(request: object): Promise<Record<'width' | 'height' | 'engine' | 'scale', unknown>>
            }
          }
          const before = capturer.isSharing('screen')
          const { width, height, engine, scale } = await capturer.capture({ scope: 'screen', element: null })
          return { before, after: capturer.isSharing('screen'), width, height, engine, scale }
        })
      const picture = { before: true, width: 1280, height: 800, engine: 'display', scale: 1 }
      await share(page, 'screen')
      expect(await take()).toEqual({ ...picture, after: true })
      expect(await take()).toEqual({ ...picture, after: true })
      await share(page, 'screen', 'one picture')
      expect(await take()).toEqual({ ...picture, after: false })
    } finally {
      await browser.close()
      display.process.kill()
      if (DISPLAY === undefined) delete process.env['DISPLAY']
      else process.env['DISPLAY'] = DISPLAY
    }
  },
  120_000,
)
