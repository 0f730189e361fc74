import type { Step } from '../tracing/index.ts'

const VERB = /\b(select|insert|update|delete|merge)\b/i
const TABLE = /\b(?:from|into|update)\s+"?(\w+)/i

/** The text of a statement, whose parameters are no part of it. What it quotes, in case that it does, is left out. */
export function statementStep(sql: string): Step {
  const text = sql
    .replaceAll(/'(?:[^']|'')*'/g, "'?'")
    .replaceAll(/\s+/g, ' ')
    .trim()
  const verb = /^with\b/i.test(text) ? VERB.exec(text)?.[0] : /^\w+/.exec(text)?.[0]
  const table = verb !== undefined && VERB.test(verb) ? TABLE.exec(text)?.[1] : undefined
  return {
    name: ['sql', verb?.toLowerCase(), table].filter(Boolean).join(' '),
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
  }
}
