import type { ReactNode } from 'react'
import { countOf } from '../../time/words.ts'

/** What the page says on which somebody decides whether an application may act for them. */
export const words = {
  headers: {
    question: 'Let an application act for you?',
    ready: {
      lead: 'An application is asking for a session in your name. It gets nothing until you approve.',
    },
    signedOut: {
      title: 'Sign in to review this request',
      lead: 'An application is asking for a session in your name. Sign in to decide.',
    },
    noLink: {
      title: 'Nothing to approve',
      lead: 'Open the complete link that the application shows.',
    },
    approveUnsure: {
      title: 'The approval is not confirmed yet',
      lead: 'Your approval was sent, but no answer came back. The application may already have its session.',
    },
    declineUnsure: {
      title: 'The decline is not confirmed yet',
      lead: 'Your answer was sent, but no reply came back. The application gets nothing unless someone approves.',
    },
    approved: {
      title: 'Done',
      lead: 'Go back to the application; you can close this tab.',
    },
    declined: {
      title: 'Declined',
      lead: 'The application was told and got no access. You can close this tab.',
    },
    expired: {
      title: 'This link has expired',
      lead: 'A link can be used for 15 minutes. Nothing was given to anybody.',
    },
    linked: {
      title: 'This link has already been used',
      lead: 'A link works once, and somebody has approved this one.',
    },
    approvedOrUsed: {
      title: 'Already approved or used',
      lead: 'The link was used, most likely by your approval a moment ago.',
    },
    unknown: {
      title: 'Unknown link',
      lead: 'No application is waiting for it. The link may be old, incomplete, or for another server.',
    },
    declinedElsewhere: {
      title: 'This request was declined',
      lead: 'Someone with this link declined it in another tab or browser. The application got no access.',
    },
  },
  loading: 'Loading the request',
  checkAgain: 'Check again',
  facts: {
    unnamed: {
      term: 'Who asks',
      value: 'An unnamed application',
    },
    named: {
      term: 'It calls itself',
      remark: 'The application chose this name. It is not verified.',
    },
    requestedFrom: 'Requested from',
    sessionLength: 'Session length',
    siteNotVerified: 'This is not verified. Approve only if you trust that site.',
    otherNetwork:
      'A different network than this browser. That is normal for a remote machine; make sure it is yours.',
    sameNetwork: 'The same network as this browser.',
  },
  compare: {
    request: 'Compare these two words with those on the application’s screen:',
    hint: 'If they differ, or you did not start this yourself just now, decline.',
  },
  watched: {
    title: 'Someone else may be watching this request',
    detail:
      'Two different programs are waiting for your approval. Someone else may have seen the link. If in doubt, decline and start again in the application.',
  },
  consequences: {
    heading: 'If you approve, it',
    can: ['can act in your name, with what you own'],
    cannot: ['cannot approve other applications', 'cannot change your sessions, API keys or passkeys'],
    end: 'You can end its session at any time on your account page.',
  },
  decisions: {
    decline: 'Decline',
    approve: 'Approve',
  },
  timeLeft: {
    over: 'Time is up.',
    seconds: (count: number) => `Expires in ${countOf(count, 'second')}.`,
    minutes: (count: number) => `Expires in ${countOf(count, 'minute')}.`,
    spoken: (minutes: number) => `Less than ${countOf(minutes, 'minute')} left to decide.`,
  },
  stillOpen: {
    title: 'The request is still open',
    detail: 'Your decision has not arrived yet. Decide again; doing it twice is safe.',
  },
  end: {
    startAgain: {
      title: 'What to do',
      detail: 'Start the sign-in again in the application. It shows a new link, which works for 15 minutes.',
    },
    approved: {
      text: (sessions: ReactNode) => (
        <>The application can act for you now. You can end that at any time in {sessions}.</>
      ),
      sessions: 'your sessions',
    },
    declined:
      'If the application asks again and you did not start it, someone may be trying to get in. Decline each time.',
    linked: {
      wasYou: () => (
        <>
          <strong>Was it you?</strong> Then there is nothing to do: the application has its session.
        </>
      ),
      wasNotYou: () => (
        <>
          <strong>Wasn’t it?</strong> Check your sessions, and end any you don’t recognize.
        </>
      ),
      sessions: 'Review your sessions',
    },
  },
}
