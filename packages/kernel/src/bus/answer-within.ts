import type { Answering } from './answering.ts'
import type { SendOutcome } from './ports.ts'

/** A message that does not leave the process. Silence takes as long as it does over the wire: until the deadline. */
export async function answerWithin(
  answering: Answering,
  topic: string,
  message: string,
  deadlineMs: number,
): Promise<SendOutcome> {
  const { promise: silence, resolve } = Promise.withResolvers<SendOutcome>()
  const timer = setTimeout(() => resolve({ outcome: 'timeout' }), deadlineMs)
  try {
    const answer = answering
      .answer(topic, message)
      .then((reply) => (reply === undefined ? silence : answered(reply)))
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}

function answered(reply: string): SendOutcome {
  return { outcome: 'answered', reply }
}
