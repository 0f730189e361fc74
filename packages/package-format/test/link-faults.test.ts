import { expect, test } from 'vitest'
import { findUnsafeLinks } from '../src/link-faults.ts'

const withLink = (link: string) => ({ resources: { homepage: link } })

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' \tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'java\u200bscript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://a.example/1',
  'ftp://a.example/file',
  'ssh://a.example',
])('[A-184] S7: %j is no link for a package', (link) => {
  expect(findUnsafeLinks(withLink(link))).toMatchObject([
    { pointer: '/resources/homepage', code: 'unsafe_link' },
  ])
})

test.each([
  'https://a.example/x',
  'HTTP://a.example',
  'mailto:ada@a.example',
  'file:///C:/docs',
  'Forum: ask for Ada',
  'ada#1234',
  '+41 44 000 00 00',
  'tel:+41440000000',
  'note: javascript is needed',
  '',
])('[A-184] S7: %j is fine', (link) => {
  expect(findUnsafeLinks(withLink(link))).toEqual([])
})

test('[A-184] S7: contacts of the author and of the maintainer are looked at too', () => {
  const contact = { name: 'Ada', contact: { web: 'data:text/html,x' } }
  const findings = findUnsafeLinks({ author: contact, maintainer: contact, resources: {} })
  expect(findings.map(({ pointer }) => pointer)).toEqual(['/author/contact/web', '/maintainer/contact/web'])
})
