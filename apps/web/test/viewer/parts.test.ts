import { Problem, UnexpectedResponse } from '@patchbay/contracts/core'
import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { PASTE_NAME_PATTERN } from '@patchbay/contracts/viewer'
import { expect, test } from 'vitest'
import { Offline } from '../../src/errors/failure.ts'
import { slugOf } from '../../src/viewer/pastes/slug.ts'
import { createGrants } from '../../src/viewer/uploads/grants.ts'
import { failed, faultOf } from '../../src/viewer/uploads/upload.ts'
import { addressOfWidget, tidyTitle, titleInAddress } from '../../src/viewer/viewer-session.ts'

test.each([
  ['Power supply: ripple!', 'power-supply-ripple'],
  ['  --Über  Größe--  ', 'uber-grosse'],
  ['../../etc/passwd', 'etc-passwd'],
  ['電源 7', '7'],
  ['🙂', ''],
  ['ﬁnal ½', 'final-1-2'],
  ['long '.repeat(40), 'long-'.repeat(12).slice(0, -1)],
])('[W-403] what was typed as %j becomes %j', (typed, slug) => {
  expect(slugOf(typed)).toBe(slug)
})

test('[W-403] whatever is typed becomes a name that the viewer takes, or nothing', () => {
  const pattern = new RegExp(PASTE_NAME_PATTERN)
  for (let code = 1; code < 0x3000; code += 1) {
    const slug = slugOf(`a${String.fromCodePoint(code)}${'b-'.repeat(35)}`)
    if (!pattern.test(slug) || slug.length > PASTE_LIMITS.nameLength) throw new Error(`${code}: ${slug}`)
  }
  expect(pattern.test(slugOf('a'))).toBe(true)
})

test('[W-383] what the widget is for is one line of characters that show', () => {
  expect(titleInAddress('?title=The%20 ripple%0Aat+5+V')).toBe('The ripple at 5 V')
  expect(tidyTitle('safe\u202Egnp.exe\u0000\u200B')).toBe('safegnp.exe')
  expect(tidyTitle(' \u2060 ')).toBeUndefined()
  expect(tidyTitle('x'.repeat(500))).toHaveLength(200)
  expect(titleInAddress('')).toBeUndefined()
  expect(titleInAddress(new URL(addressOfWidget('A & B?'), 'http://x').search)).toBe('A & B?')
})

test('[W-396] an empty file and one that is too large are not sent', () => {
  expect(faultOf({ size: 0 })?.title).toBe('The file is empty')
  expect(faultOf({ size: PASTE_LIMITS.uploadBytes + 1 })?.detail).toBe(
    'It has 34 MB; a picture may have 33 MB.',
  )
  expect(faultOf({ size: PASTE_LIMITS.uploadBytes })).toBeUndefined()
})

test('[W-396][W-398] a refusal is final, a bad moment is not, and no answer keeps the picture', () => {
  const refusal = failed(new Problem('picture_refused', { detail: 'It ends too early.' }), true)
  expect(refusal).toMatchObject({ step: 'refused', mayRetry: false, why: { detail: 'It ends too early.' } })
  expect(failed(new Problem('folder_unavailable'), true)).toMatchObject({ step: 'refused', mayRetry: true })
  expect(failed(new UnexpectedResponse(502, 'a proxy'), true)).toMatchObject({
    step: 'refused',
    mayRetry: true,
  })
  expect(failed(new Offline(), false)).toMatchObject({ step: 'held', isSentWhole: false })
  expect(failed(new TypeError('Failed to fetch'), true)).toMatchObject({ step: 'held', isSentWhole: true })
})

test('[W-388] one right to upload is shared; the served nonce is used once, and one that is too old is replaced', async () => {
  const traded: string[] = []
  const grants = createGrants({
    servedNonce: 'served',
    fetchNonce: async () => 'fetched',
    trade: async (nonce) => {
      traded.push(nonce)
      if (nonce === 'served') throw new Problem('upload_not_granted')
      return `grant ${traded.length}`
    },
  })
  const first = grants.get()
  expect(await Promise.all([first, grants.get()])).toEqual(['grant 2', 'grant 2'])
  grants.forget(first)
  const second = grants.get()
  grants.forget(first)
  expect(await Promise.all([second, grants.get()])).toEqual(['grant 3', 'grant 3'])
  grants.doubt()
  expect(await grants.get()).toBe('grant 4')
  expect(traded).toEqual(['served', 'fetched', 'fetched', 'fetched'])
})

test('[W-388] after a failure the next one who asks tries again', async () => {
  let tries = 0
  const grants = createGrants({
    servedNonce: undefined,
    fetchNonce: async () => {
      tries += 1
      if (tries === 1) throw new TypeError('Failed to fetch')
      return 'fetched'
    },
    trade: async () => 'grant',
  })
  await expect(grants.get()).rejects.toThrow('Failed to fetch')
  expect(await grants.get()).toBe('grant')
})
