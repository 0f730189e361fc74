import { expect, test } from 'vitest'
import { findChromium } from '../src/chromium.ts'

test('[TK-102] the whole browser is the one that would be shown', () => {
  const { CHROMIUM_PATH } = process.env
  delete process.env['CHROMIUM_PATH']
  try {
    const whole = findChromium({ isWhole: true })
    expect(whole).toBeDefined()
    expect(whole).toBe(findChromium({ headless: false }))
    expect(whole).not.toContain('headless')
    process.env['CHROMIUM_PATH'] = '/opt/chromium'
    expect([findChromium(), findChromium({ isWhole: true })]).toEqual(['/opt/chromium', '/opt/chromium'])
  } finally {
    if (CHROMIUM_PATH === undefined) delete process.env['CHROMIUM_PATH']
    else process.env['CHROMIUM_PATH'] = CHROMIUM_PATH
  }
})
