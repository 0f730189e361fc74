import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore, SemaphoreRefused } from '@patchbay/primitives/async'
import type { PictureToName } from '../ports.ts'
import type { AskModel } from './ask-model.io.ts'
import type { ModelConfig, NamingLimits } from './config.ts'
import { createExchange } from './exchange.io.ts'
import { failureOf, type ModelFailure, NO_NAME_IN_ANSWER } from './failure.ts'
import { decodePng, requirePng } from './plain-png.io.ts'
import { type ModelPicture, type Question, questionFor } from './question.ts'
import { slugOf } from './slug.ts'
import { untilAborted } from './until-aborted.ts'

/** Providers take 5 MB of base64, which is a third longer than what it holds. */
const SENT_BYTES = 3_500_000
const SENT_SIDE = 1568

async function pictureForModel(file: string): Promise<ModelPicture> {
  const size = await requirePng(file)
  if (size <= SENT_BYTES) return { mediaType: 'image/png', base64: await readFile(file, 'base64') }
  const smaller = await decodePng(file)
    .resize({ width: SENT_SIDE, height: SENT_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80 })
    .toBuffer()
  return { mediaType: 'image/jpeg', base64: smaller.toString('base64') }
}

const THINKING_END = '</think>'
const REFUSAL =
  /^\W*(?:i['’]?m sorry|i am sorry|sorry|i can(?:no|['’])t|i['’]?m unable|i am unable|unable to|as an ai)\b/i

/**
 * The name in a model's answer, which is untrusted: it may have been told what to say by the picture. Undefined where it
 * holds none.
 */
export function nameOfAnswer(answer: string): string | undefined {
  const thought = answer.lastIndexOf(THINKING_END)
  const said = thought === -1 ? answer : answer.slice(thought + THINKING_END.length)
  return REFUSAL.test(said.slice(0, 200)) ? undefined : slugOf(said.trimStart())
}

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

/** The libraries take tens of megabytes: each is loaded when its provider is asked for the first time. */
async function loadProvider(config: ModelConfig): Promise<AskModel> {
  switch (config.provider) {
    case 'anthropic':
      return (await import('./anthropic.io.ts')).createAnthropicModel(config)
    case 'openai':
      return (await import('./openai.io.ts')).createOpenAiModel(config)
    default:
      throw new Error(`unknown provider ${String(config.provider)}`)
  }
}
