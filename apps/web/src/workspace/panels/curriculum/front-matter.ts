export interface FrontMatter {
  readonly title?: string
  readonly order?: number
}

const FENCE = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/
const MOST_TITLE = 200

/**
 * The lines `key: value` at the head of a lesson, and the lesson without them. Not YAML: a lesson has a title and a place, and
 * nothing that would need a language to say it.
 */
export function readFrontMatter(text: string): { readonly head: FrontMatter; readonly body: string } {
  const found = FENCE.exec(text)
  if (found === null) return { head: {}, body: text }
  const values = new Map(
    (found[1] ?? '').split('\n').flatMap((line) => {
      const pair = /^\s*([A-Za-z][\w-]*)\s*:\s*(.*?)\s*$/.exec(line)
      return pair === null ? [] : [[pair[1]?.toLowerCase() ?? '', unquoted(pair[2] ?? '')] as const]
    }),
  )
  const title = values.get('title')?.slice(0, MOST_TITLE)
  const order = Number(values.get('order') || Number.NaN)
  return {
    head: {
      ...(title !== undefined && title !== '' && { title }),
      ...(Number.isFinite(order) && { order }),
    },
    body: text.slice(found[0].length),
  }
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value
}
