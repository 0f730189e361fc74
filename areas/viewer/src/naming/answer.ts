import { slugOf } from './slug.ts'

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
