import type { ProblemCode } from '@patchbay/contracts/core'
import type { FailureText } from './failure.ts'

/** For people who act: what is the matter, and what they can do. Apart from `words.ts`, which is in the first load. */
export const words: Partial<Record<ProblemCode, FailureText>> = {
  sign_in_required: {
    title: 'You are signed out',
    detail: 'Your session has ended, here or from another browser. Sign in and try again.',
  },
  csrf_token_required: {
    title: 'Your sign-in has changed in another tab',
    detail: 'This page now knows who is signed in. Check the name, then try again.',
  },
  account_disabled: {
    title: 'This account is disabled',
    detail: 'An administrator can enable it again.',
  },
  sign_up_closed: {
    title: 'You need an invitation to create an account here',
    detail: 'Ask an administrator for a link and open it in this browser.',
  },
  ceremony_expired: {
    title: 'This has expired or is already done',
    detail: 'This has expired. Start over; nothing was changed.',
  },
  invitation_invalid: {
    title: 'This invitation cannot be used',
    detail: 'It was already used, has expired, or is incomplete. Ask for a new one.',
  },
  passkey_refused: {
    title: 'This passkey was not accepted',
    detail: 'It may belong to another account or server, or was removed here. Try another one.',
  },
  workspace_exists: {
    title: 'This name is taken',
    detail: 'Another workspace of this owner has it. Choose another one.',
  },
  handle_taken: {
    title: 'This handle is taken',
    detail: 'A person or an organization already has it. Choose another one.',
  },
  issuer_unavailable: {
    title: 'The identity provider is not responding',
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
    title: 'An organization needs at least one owner',
    detail: 'Make someone else an owner first.',
  },
  last_admin: {
    title: 'At least one administrator is required',
    detail: 'Invite another administrator first.',
  },
  limit_reached: {
    title: 'Limit reached',
    detail: 'Remove one you no longer need, then try again.',
  },
  not_permitted: {
    title: 'You don’t have permission to do this',
    detail: 'Ask someone with more permissions to do it or to grant you access.',
  },
  not_found: {
    title: 'It no longer exists',
    detail: 'It may have been removed in another tab. Reload the page.',
  },
  rate_limited: {
    title: 'Too many attempts',
    detail: 'Wait a minute, then try again.',
  },
}
