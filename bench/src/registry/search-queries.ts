import { VOCABULARY } from './synthetic-package.ts'

export const SEARCHES = ['words', 'prefix', 'filters', 'wordsAndFilters', 'tag', 'browse'] as const
export type SearchName = (typeof SEARCHES)[number]

/** Words before it are in a third of all packages or more. */
const FIRST = 10
const TOOLS = ['6.0', '7.0', '8.0', '9.0']
const FILTERS = ['type=plugin', 'platform=windows', 'status=stable']

/** Different words each time: a single query would be measured from a warm path that nobody else takes. */
export function searchPaths(name: SearchName, variations: number): string[] {
  return Array.from({ length: name === 'browse' ? 1 : variations }, (_, index) => {
    const [first, second] = [wordAt(FIRST + index * 3), wordAt(FIRST + index * 50)]
    const filters = [...FILTERS, `tool_version=${TOOLS[index % TOOLS.length]}`].join('&')
    const queries: Readonly<Record<SearchName, string>> = {
      words: `q=${first}+${second}`,
      prefix: `q=${first.slice(0, 3)}`,
      filters,
      wordsAndFilters: `q=${first}+${second}&${filters}`,
      tag: `tag=${first}`,
      browse: '',
    }
    return `/registry/search?${queries[name]}`
  })
}

function wordAt(index: number): string {
  return VOCABULARY[index % VOCABULARY.length] ?? ''
}
