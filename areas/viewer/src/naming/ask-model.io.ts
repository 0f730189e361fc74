import type { Exchange } from './exchange.io.ts'
import type { Question } from './question.ts'

/** Asks once, and answers with the text of the model. Rejects with what the provider's library throws. */
export type AskModel = (question: Question, exchange: Exchange) => Promise<string>
