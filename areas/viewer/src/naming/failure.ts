/** Why a model gave no name, in words for people. Holds nothing of what the provider said: it may repeat the key. */
export interface ModelFailure {
  readonly note: string
  /** Whether the same question may be answered a moment later. */
  readonly isPassing: boolean
  readonly status?: number
}

/** How far one exchange with a provider came. */
export interface ExchangeEnd {
  readonly isLate: boolean
  readonly isTooLong: boolean
  /** Headers of an answer arrived, and its body did not break off. */
  readonly wasAnswered: boolean
}

export const NO_NAME_IN_ANSWER: ModelFailure = {
  note: 'The model’s answer holds no name that files can have.',
  isPassing: false,
}

export function failureOf(error: unknown, end: ExchangeEnd, deadlineMs: number): ModelFailure {
  if (end.isLate)
    return { note: `The model did not answer within ${secondsOf(deadlineMs)}.`, isPassing: true }
  if (end.isTooLong) return { note: 'The model’s answer was too long.', isPassing: false }
  const status = statusOf(error)
  if (status !== undefined) return { ...refusalOf(status), status }
  if (!end.wasAnswered) return { note: 'The model could not be reached.', isPassing: true }
  return { note: 'The model’s answer could not be understood.', isPassing: false }
}

function refusalOf(status: number): ModelFailure {
  if (status === 429) return { note: 'The model is asked too often just now (429).', isPassing: true }
  if (status >= 500) return { note: `The model’s service has a fault (${status}).`, isPassing: true }
  if (status === 401 || status === 403) {
    return { note: `The model’s service refused the key (${status}).`, isPassing: false }
  }
  if (status === 404) {
    return { note: 'The model’s service does not know this model or this address (404).', isPassing: false }
  }
  if (status < 400) {
    return { note: `The model’s address leads elsewhere, and is not followed (${status}).`, isPassing: false }
  }
  return { note: `The model’s service refused the question (${status}).`, isPassing: false }
}

/** Both libraries put the HTTP status of a refusal there. */
function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

function secondsOf(milliseconds: number): string {
  const seconds = milliseconds / 1000
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
