import { html } from './markup.ts'
import { page } from './page.ts'
import type { Picture } from './page-picture.ts'

export interface Message {
  readonly heading: string
  readonly picture: Picture
  readonly happened: string
  /** What may have led to it, when that is not known. */
  readonly reasons?: readonly string[]
  readonly next: string
}

/** A page that says what happened and what to do now. */
export function messagePage({ heading, picture, happened, reasons = [], next }: Message): string {
  const list = reasons.map((reason) => html`<li>${reason}</li>`)
  return page({
    heading,
    picture,
    body: html`<p>${happened}</p>
${list.length === 0 ? '' : html`<ul>${list}</ul>`}
<h2>What to do now</h2>
<p>${next}</p>`,
  })
}
