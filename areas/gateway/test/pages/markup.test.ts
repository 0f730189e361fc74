import { expect, test } from 'vitest'
import { html } from '../../src/pages/markup.ts'

test('[B-201] a text is escaped between tags and inside an attribute', () => {
  const hostile = `<script>alert("1")</script>&'\``
  const escaped = '&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;&#96;'
  expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
})

test('[B-201] a piece of a page is put into another as it is, and its texts are not escaped twice', () => {
  const items = ['a & b', '<c>'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a &#38; b</li><li>&#60;c&#62;</li></ul>')
})

test('[B-201] an object that poses as a piece of a page is not taken for one', () => {
  // What a client sends is parsed JSON; an object with the right member must not pass as markup.
  const posing = JSON.parse('{"text":"<b>"}') as string
  expect(() => html`${posing}`).toThrow(TypeError)
})
