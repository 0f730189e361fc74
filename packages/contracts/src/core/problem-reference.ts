import { PROBLEM_ADVICE, problemsByStatus, STATUS_NAMES } from './problem-advice.ts'
import { PROBLEM_CONTENT_TYPE, PROBLEMS, Problem, type ProblemCode } from './problems.ts'

const EXAMPLE = new Problem('rate_limited', {
  detail: 'Try again in 12 s.',
  extensions: { retry_after_seconds: 12 },
})

const INTRODUCTION = `# Problems

Generated from the contracts by \`pnpm vitest run packages/contracts/test/problem-advice.test.ts -u\`. Do not edit.

Whatever cannot be done is answered with a status of 400 or above and a JSON object as \`${PROBLEM_CONTENT_TYPE}\`
([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)), such as:

\`\`\`json
${JSON.stringify(EXAMPLE, null, 2)}
\`\`\`

- \`code\` tells problems apart. A code is never renamed and never used for something else; new ones are added, so treat one
  that you do not know by its status.
- \`type\` leads to the page about the code, on the host that answered. The same texts are below.
- \`title\` and \`detail\` are for people, and their wording changes. \`detail\` says what went wrong this time, where there is
  more to say than the title.
- Further members depend on the code; those that help are named below.
- The header \`x-request-id\` names the request in the logs of the process that answered. Include it when you report a problem.

## What to repeat

| status | repeat the same request? |
|---|---|
| 408, 429 | Yes, after as many seconds as \`Retry-After\` says. Where it is missing, wait a second, and twice as long each time. |
| 503 | Yes, in the same way. If the request was a change, look first whether it was made: an engine may have gone away after it. |
| 500, 502, 504 | If it only reads: yes, a few times. A change may have been made all the same: look before you repeat it. |
| 409, 412 | Not as it is. Read what is there now, then decide. |
| other 4xx | No. It will be refused again until the request, the credentials or what they may do have changed. |

GET and HEAD can be repeated at any time. The two codes of 504 that begin with \`sharing_\` wait for a person, and
say in \`retry_after_seconds\` when to ask again.
`

/** As Markdown, for docs/reference. */
export function problemReference(): string {
  const sections = problemsByStatus().map(({ status, codes }) =>
    [`## ${status} ${STATUS_NAMES[status]}\n`, ...codes.map(describe)].join('\n'),
  )
  return [INTRODUCTION, ...sections].join('\n')
}

function describe(code: ProblemCode): string {
  const { cause, fix } = PROBLEM_ADVICE[code]
  return `### \`${code}\`\n\n${PROBLEMS[code].title}.\n\n**Cause:** ${cause}\n\n**What to do:** ${fix}\n`
}
