import type { CallbackOutcome } from '@patchbay/contracts/gateway'
import { type Message, messagePage } from './message-page.ts'

const MESSAGES: Readonly<Record<CallbackOutcome, Message>> = {
  done: {
    heading: 'Connected',
    picture: 'plugged',
    happened:
      'Your application has what it asked for. Nobody else received it, and nothing of it stays here.',
    next: 'You can close this window and go back to your application.',
  },
  'access-denied': {
    heading: 'Access was not granted',
    picture: 'unplugged',
    happened: 'The provider sent you back without giving access. This usually has one of two reasons:',
    reasons: [
      'You declined.',
      'The application is still in testing with this provider, and your account is not on its list of test users.',
    ],
    next: 'If you want to connect, start again from your application and allow access. If you did allow it, ask the developer of the application to add your account to the test users.',
  },
  'provider-error': {
    heading: 'The provider reported a problem',
    picture: 'unplugged',
    happened: 'It sent you back without giving access, so nothing was connected. Your application was told.',
    next: 'Start again from your application. If it happens again, tell the developer of the application.',
  },
  declined: {
    heading: 'You declined',
    picture: 'unplugged',
    happened: 'Nothing was passed on. The application was told only that you declined.',
    next: 'You can close this window. The provider may still list the application among those you allowed; you can remove it there. If you change your mind, start again from your application.',
  },
  'unknown-state': {
    heading: 'This link does not work anymore',
    picture: 'unplugged',
    happened:
      'It is too old, it was used already, or no application is waiting for it. Nothing was passed on now.',
    next: 'Start again from your application.',
  },
  'client-gone': {
    heading: 'Your application is not connected anymore',
    picture: 'unplugged',
    happened: 'It ended its connection before the answer of the provider came. Nobody received that answer.',
    next: 'Open your application and start again there.',
  },
  'client-silent': {
    heading: 'Your application did not respond',
    picture: 'unplugged',
    happened:
      'It is connected, but did not take the answer of the provider in time. Nobody else received it.',
    next: 'Look at your application first: it may have finished after all. If not, start again there.',
  },
  'gateway-unavailable': {
    heading: 'Not available right now',
    picture: 'unplugged',
    happened:
      'This gateway cannot reach its other parts at the moment. Nobody else received the answer of the provider.',
    next: 'Wait a minute, then start again from your application.',
  },
}

/** Nothing on them changes, so each is made once, when the process starts. */
const PAGES = Object.fromEntries(
  Object.entries(MESSAGES).map(([outcome, message]) => [outcome, messagePage(message)]),
) as Readonly<Record<CallbackOutcome, string>>

export function resultPage(outcome: CallbackOutcome): string {
  return PAGES[outcome]
}
