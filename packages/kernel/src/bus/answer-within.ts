import type { SendOutcome } from './ports.ts'

/** A message that does not leave the process. Silence takes as long as it does over the wire: until the deadline. */
export function answerWithin(answer: Promise<string | undefined>, deadlineMs: number): Promise<SendOutcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ outcome: 'timeout' }), deadlineMs)
    answer.then((reply) => {
      if (reply === undefined) return
      clearTimeout(timer)
      resolve({ outcome: 'answered', reply })
    }, reject)
  })
}
