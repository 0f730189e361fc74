import { isProblemCode, Problem, PROBLEMS, type ProblemCode } from '@patchbay/contracts/core'
import { Notice } from '../../components/notice.tsx'
import { adviseOn, hasAdvice } from '../../errors/advice.ts'
import type { FailureText } from '../../errors/failure.ts'

const OURS =
  'You are not signed in. Wait a minute and try again. If this continues, contact an administrator.'
/** Where signing in has more to say than other pages. */
const SENTENCES: Partial<Record<ProblemCode, FailureText>> = {
  invalid_request: {
    title: 'The sign-in came back incomplete',
    detail: 'Its address was cut off or changed on the way. Start over from here.',
  },
  internal_error: { title: 'Something went wrong on our side', detail: OURS },
  database_unavailable: { title: 'The database cannot be reached', detail: OURS },
}

/** Why a sign-in through an issuer came to nothing. The code stands in the address, so anybody may have written it. */
export function SignInProblem({ code }: { code: string }) {
  const { title, detail } = sentenceFor(code)
  return (
    <Notice title={title} tone="warning">
      {detail}
    </Notice>
  )
}

function sentenceFor(code: string): FailureText {
  if (!isProblemCode(code)) {
    return { title: 'Something went wrong', detail: 'You are not signed in. Try again, or use another way.' }
  }
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return sentence
  return hasAdvice(code) ? adviseOn(new Problem(code)) : { title: PROBLEMS[code].title, detail: OURS }
}
