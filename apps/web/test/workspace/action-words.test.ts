import { expect, test } from 'vitest'
import { actionInWords, sentenceFor } from '../../src/workspace/action-words.ts'

test('[W-370] what was done is told in words, with its detail', () => {
  const told = [
    'webview navigate example.com:8080',
    'webview navigate',
    'webview setHeaderHidden true',
    'webview setHeaderHidden false',
    'webview setHeaderHidden',
    'webview setProxyEnabled true',
    'sandbox eval',
    'workspace add tab',
    'screenshot screen',
    'files put src/main.c',
    'files restore src/main.c',
    'files restore 12',
    'files change (214)',
  ].map(actionInWords)
  expect(told).toEqual([
    'opened example.com:8080',
    'opened a page',
    'hid the address bar',
    'showed the address bar',
    'changed the address bar',
    'turned the proxy on',
    'ran code',
    'added a panel',
    'asked for a picture of the screen',
    'wrote src/main.c',
    'restored src/main.c',
    'restored all files from version 12',
    'changed 214 files',
  ])
})

test('[W-370] what was done with devices is told in words', () => {
  const told = [
    'add device motor',
    'add device motor of ada/board',
    'grant device motor to ada/other',
    'revoke device motor from ada/other',
    'arm device motor for agents',
    'ask to arm device motor',
    'device motor target 60',
    'emergency stop',
    'release emergency stop',
    'mark first run',
  ].map(actionInWords)
  expect(told).toEqual([
    'added the device motor',
    'added the device motor of ada/board',
    'granted motor to ada/other',
    'took motor from ada/other',
    'armed motor for agents',
    'asked to have motor armed',
    'told motor: target 60',
    'stopped all devices',
    'released the emergency stop',
    'marked “first run”',
  ])
})

test('[W-527] what was done about people is told in words', () => {
  const told = [
    'member add bob viewer',
    'member change bob editor',
    'member remove bob',
    'member join viewer',
    'member leave',
    'member link editor',
    'member unlink',
  ].map(actionInWords)
  expect(told).toEqual([
    'added bob as viewer',
    'made bob an editor',
    'removed bob',
    'joined as viewer',
    'left the workspace',
    'made an invitation link for editors',
    'revoked an invitation link',
  ])
})

test('[W-370] what is not known stays as it was noted', () => {
  for (const unknown of ['viewer explode now', 'webview', 'webview navigated', '', 'toString'])
    expect(actionInWords(unknown)).toBe(unknown)
})

test('[W-371] a sentence for ears names who, what and which tab', () => {
  const by = { kind: 'api_key', name: 'Robot', handle: 'ada' } as const
  expect(sentenceFor({ by, action: 'sandbox eval' }, 'Sums')).toBe('Robot ran code, Sums')
  expect(sentenceFor({ by, action: 'workspace resize' }, undefined)).toBe('Robot changed the sizes')
})
