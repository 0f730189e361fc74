import type { NodeId } from './ports.ts'

export interface Question {
  readonly id: string
  readonly from: NodeId
  readonly topic: string
  readonly message: string
}

export type Frame =
  | ({ readonly kind: 'question' } & Question)
  | { readonly kind: 'answer'; readonly id: string; readonly reply: string }

/** A short header before the text as it is: what passes through is neither escaped nor parsed. */
export function formatQuestion({ id, from, topic, message }: Question): string {
  return `q ${id} ${from} ${topic} ${message}`
}

export function formatAnswer(id: string, reply: string): string {
  return `a ${id} ${reply}`
}

export function parseFrame(text: string): Frame | undefined {
  const question = /^q (\S+) (\S+) (\S+) /.exec(text)
  if (question !== null) {
    const [header, id = '', from = '', topic = ''] = question
    return { kind: 'question', id, from, topic, message: text.slice(header.length) }
  }
  const answer = /^a (\S+) /.exec(text)
  if (answer === null) return undefined
  const [header, id = ''] = answer
  return { kind: 'answer', id, reply: text.slice(header.length) }
}
