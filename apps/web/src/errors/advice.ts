import { Problem, type ProblemCode } from '@patchbay/contracts/core'
import { describeFailure, type FailureText } from './failure.ts'
import { Tellable } from './tellable.ts'

/** For people who act: what is the matter, and what they can do. */
const SENTENCES: Partial<Record<ProblemCode, FailureText>> = {
  sign_in_required: {
    title: 'You are not signed in any more',
    detail: 'Your session has ended, here or from another browser. Sign in and try again.',
  },
  csrf_token_required: {
    title: 'Your sign-in has changed in another tab',
    detail: 'This page now knows who is signed in. Check the name, then try again.',
  },
  account_disabled: {
    title: 'This account is disabled',
    detail: 'An administrator of this installation can enable it again.',
  },
  sign_up_closed: {
    title: 'You need an invitation to make an account here',
    detail: 'Ask an administrator of this installation for a link, and open it in this browser.',
  },
  ceremony_expired: {
    title: 'That took too long, or was finished before',
    detail: 'What you began here has ended. Begin again; nothing was changed.',
  },
  invitation_invalid: {
    title: 'This invitation cannot be used',
    detail: 'It was used before, has expired, or was copied incompletely. Ask for a new one.',
  },
  passkey_refused: {
    title: 'This passkey was not accepted',
    detail: 'It may belong to another account or installation, or was removed here. Try another one.',
  },
  handle_taken: {
    title: 'This handle is taken',
    detail: 'Somebody, or an organization, has it already. Choose another one.',
  },
  issuer_unavailable: {
    title: 'The identity provider does not answer',
    detail: 'It may be down for a moment. Try again, or sign in with a passkey.',
  },
  issuer_refused: {
    title: 'The identity provider did not sign you in',
    detail: 'You may have canceled there, or it does not allow this. Try again, or use another way.',
  },
  last_way_in: {
    title: 'This is your last way to sign in',
    detail: 'Add another passkey first, then remove this one.',
  },
  last_owner: {
    title: 'An organization needs an owner',
    detail: 'Make somebody else an owner first.',
  },
  last_admin: {
    title: 'An installation needs an administrator',
    detail: 'Invite another administrator first.',
  },
  limit_reached: {
    title: 'There are as many as there may be',
    detail: 'Remove one that is not needed any more, then try again.',
  },
  not_permitted: {
    title: 'Your account is not allowed to do this',
    detail: 'Somebody with more rights can do it for you, or give them to you.',
  },
  not_found: {
    title: 'It is not there any more',
    detail: 'It may have been removed in another tab. Reload the page to see what there is.',
  },
  rate_limited: {
    title: 'Too many attempts',
    detail: 'Wait a minute, then try again.',
  },
}

export function hasAdvice(code: ProblemCode): boolean {
  return SENTENCES[code] !== undefined
}

/**
 * As `describeFailure`, with what to do about it. Apart from it because only pages that change something need the
 * sentences, and these are fetched when they are first visited.
 */
export function adviseOn(error: unknown): FailureText {
  if (error instanceof Tellable) return { title: error.title, detail: error.detail }
  const sentence = error instanceof Problem ? SENTENCES[error.code] : undefined
  return sentence ?? describeFailure(error)
}
