import { messagePage } from './message-page.ts'

/** Why an answer of a provider cannot be used. */
export const MALFORMATIONS = ['repeated-parameter', 'no-state', 'no-answer', 'too-long'] as const
export type Malformation = (typeof MALFORMATIONS)[number]

const REASONS: Readonly<Record<Malformation, string>> = {
  'repeated-parameter': 'It says the same thing more than once, so it is not clear what counts.',
  'no-state': 'It does not say which application it is for.',
  'no-answer': 'It says neither that access was given nor why not.',
  'too-long': 'It is longer than this gateway accepts.',
}

const PAGES = Object.fromEntries(
  Object.entries(REASONS).map(([what, reason]) => [
    what,
    messagePage({
      heading: 'This answer cannot be used',
      picture: 'unplugged',
      happened: `The address that brought you here holds the answer of a provider. ${reason} Nothing was passed on.`,
      next: 'Start again from your application. If it happens again, tell the developer of the application.',
    }),
  ]),
) as Readonly<Record<Malformation, string>>

/** Goes with status 400. */
export function malformedPage(what: Malformation): string {
  return PAGES[what]
}
