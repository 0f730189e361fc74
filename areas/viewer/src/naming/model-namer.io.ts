import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore, SemaphoreRefused } from '@patchbay/primitives/async'
import type { PictureToName } from '../ports.ts'
import { nameOfAnswer } from './answer.ts'
import type { ModelConfig, NamingLimits } from './config.ts'
import { createExchange } from './exchange.io.ts'
import { failureOf, type ModelFailure, NO_NAME_IN_ANSWER } from './failure.ts'
import { pictureForModel } from './model-picture.io.ts'
import type { AskModel } from './ask-model.io.ts'
import { loadProvider } from './provider.io.ts'
import { type Question, questionFor } from './question.ts'
import { untilAborted } from './until-aborted.ts'

const DEADLINE_MS = 8_000
const FULL: ModelFailure = { note: 'Too many pictures wait for a name.', isPassing: false }
const UNREADABLE: ModelFailure = { note: 'The picture could not be read.', isPassing: false }

export type ModelOutcome = { readonly name: string } | ModelFailure

/** Throws the signal's reason when it is aborted, and nothing else. */
export type ModelNamer = (picture: PictureToName, signal: AbortSignal) => Promise<ModelOutcome>

export function createModelNamer(config: ModelConfig, limits: NamingLimits): ModelNamer {
  const deadlineMs = config.deadlineMs ?? DEADLINE_MS
  const asking = new Semaphore({ total: limits.asked, maxWaiting: limits.waitingForModel })

  const askModel: AskModel = async (question, exchange) => (await loadProvider(config))(question, exchange)

  async function askOnce(question: Question, signal: AbortSignal): Promise<ModelOutcome> {
    const exchange = createExchange(signal, deadlineMs)
    try {
      const answer = await untilAborted(askModel(question, exchange), exchange.signal)
      const name = nameOfAnswer(answer)
      return name === undefined ? NO_NAME_IN_ANSWER : { name }
    } catch (error) {
      signal.throwIfAborted()
      return failureOf(error, exchange.end(), deadlineMs)
    }
  }

  async function askTwiceAtMost(question: Question, signal: AbortSignal): Promise<ModelOutcome> {
    const first = await askOnce(question, signal)
    if ('name' in first || !first.isPassing) return first
    await sleep(limits.pauseMs, undefined, { signal })
    return askOnce(question, signal)
  }

  async function nameOf(picture: PictureToName, signal: AbortSignal): Promise<ModelOutcome> {
    const sent = await pictureForModel(picture.optimized).catch(() => undefined)
    signal.throwIfAborted()
    return sent === undefined ? UNREADABLE : await askTwiceAtMost(questionFor(sent, picture.title), signal)
  }

  return async (picture, signal) => {
    try {
      return await asking.run(() => nameOf(picture, signal), { signal })
    } catch (error) {
      if (error instanceof SemaphoreRefused) return FULL
      throw error
    }
  }
}
