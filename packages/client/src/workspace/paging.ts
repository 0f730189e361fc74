/** More than any installation of ours has; a server that never ends must not keep a caller forever. */
const MOST_PAGES = 1_000

interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

export async function everyPage<Item>(
  fetchPage: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: { readonly cursor?: string } = {}
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items: more, nextCursor } = await fetchPage(cursor)
    items.push(...more)
    if (nextCursor === null) break
    cursor = { cursor: nextCursor }
  }
  return items
}
