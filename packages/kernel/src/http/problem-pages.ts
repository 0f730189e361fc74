import { PROBLEMS, type ProblemCode, problemType } from '@patchbay/contracts/core'
import { PROBLEM_ADVICE, problemsByStatus, STATUS_NAMES } from '@patchbay/contracts/problem-advice'
import { escape, plainPage, prose } from './plain-page.ts'

/** What one code means, for whoever follows the `type` of an answer. */
export function problemPage(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code]
  const { cause, fix } = PROBLEM_ADVICE[code]
  return plainPage(
    `${title} (${code})`,
    `<header><p class="crumb">Patchbay / <a href="/problems">Problems</a></p><h1>${escape(title)}</h1>
<p class="quiet"><code>${code}</code> · HTTP status ${status}</p></header>
<main class="text"><section><h2>Why this happens</h2><p>${prose(cause)}</p></section>
<section><h2>What to do</h2><p>${prose(fix)}</p></section>
<section><h2>In the answer</h2><p><code>detail</code>, if the answer has one, says what went wrong this time. The header <code>x-request-id</code> names the request in the logs of this process.</p></section></main>`,
  )
}

export function problemListPage(): string {
  const sections = problemsByStatus().map(({ status, codes }) => {
    const entries = codes.map(
      (code) =>
        `<div><dt><a href="${problemType(code)}"><code>${code}</code></a></dt><dd>${escape(PROBLEMS[code].title)}</dd></div>`,
    )
    return `<section aria-labelledby="s${status}"><h2 id="s${status}">${status} ${escape(STATUS_NAMES[status] ?? '')}</h2>
<dl>${entries.join('')}</dl></section>`
  })
  return plainPage(
    'Problems',
    `<header><p class="crumb">Patchbay</p><h1>Problems</h1>
<p>Every refusal and failure has one of these codes. Each page says why it happens and what to do. Programs tell problems apart by <code>code</code>, which is never renamed.</p></header>
<main>${sections.join('\n')}</main>`,
  )
}
