import { displayText } from '@patchbay/primitives/text'
import { html, type Markup } from './markup.ts'
import { page } from './page.ts'

const LONGEST_NAME = 100

export interface Question {
  /** What the client says it connects the person to. */
  readonly provider: string
  /** What the client calls itself. */
  readonly label?: string | undefined
  readonly phrase: string
  /** The last part of the page's own address, to which the form goes: the gateway may be served below a path. */
  readonly flow: string
  readonly nonce: string
}

/** Asks before anything is delivered: somebody else may have started this flow and sent the person its link. */
export function confirmPage({ provider, label, phrase, flow, nonce }: Question): string {
  return page({
    heading: 'Connect this application?',
    picture: 'ready',
    body: html`<p>An application is waiting for the answer your provider just gave. Nothing has been passed on yet.</p>
<dl>
<div><dt>The application calls itself</dt><dd>${name(label, 'An application that gave no name')}</dd></div>
<div><dt>It says it connects you to</dt><dd>${name(provider, 'A provider that it did not name')}</dd></div>
</dl>
<p class="note">It chose both names itself. Nobody checked them.</p>
<div class="phrase"><p>Your application shows the same three words:</p><strong>${phrase}</strong></div>
<p class="care"><strong>Only continue if you started this yourself, just now.</strong> Decline if somebody sent you a link, or if the words differ.</p>
<form method="post" action="./${encodeURIComponent(flow)}" autocomplete="off">
<input type="hidden" name="nonce" value="${nonce}">
<button name="decision" value="decline">Decline</button>
<button name="decision" value="deliver">Connect</button>
</form>`,
  })
}

/** Isolated, so that a name that runs from right to left does not carry the text around it along. */
function name(text: string | undefined, otherwise: string): Markup {
  const shown = displayText(text, LONGEST_NAME)
  return shown === '' ? html`${otherwise}` : html`<bdi>${shown}</bdi>`
}
