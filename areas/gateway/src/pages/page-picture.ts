import { html, type Markup } from './markup.ts'

/** A patch panel with two jacks, and what the cable between them does. */
export type Picture = 'plugged' | 'ready' | 'unplugged'

const CABLES: Readonly<Record<Picture, Markup>> = {
  plugged: html`<path class="cable" d="M100 38C135 84 225 84 260 38"/><circle class="plug" cx="260" cy="38" r="6"/>`,
  ready: html`<path class="cable" d="M100 38C104 76 144 80 156 58 163 45 170 38 184 38"/>${plug('translate(181 38)')}`,
  unplugged: html`<path class="cable" d="M100 38C102 60 112 68 136 66"/>${plug('translate(132 66)')}`,
}

export function picture(shown: Picture): Markup {
  return html`<svg class="face" viewBox="0 0 360 84" aria-hidden="true">${jack('100')}${jack('260')}<circle class="plug" cx="100" cy="38" r="6"/>${CABLES[shown]}</svg>`
}

function jack(x: string): Markup {
  return html`<g transform="translate(${x} 38)"><path class="nut" d="M0-17 14.7-8.5v17L0 17-14.7 8.5v-17Z"/><circle class="bore" r="11"/></g>`
}

/** It points to the right; the cable comes in at its origin. */
function plug(transform: string): Markup {
  return html`<g transform="${transform}"><path class="plug" d="M0-5 8-9H24V9H8L0 5Z"/><path class="tip" d="M24-7h5v3.5h11V-2h5l2-1.5h3L53 0 50 3.5H47L45 2H40V3.5H29V7H24Z"/></g>`
}
