import { useCallback, useState } from 'react'
import { type Action, useAction } from '../server/use-action.ts'
import { isAboutWho, useSession } from './session-context.tsx'
import { type Answer, useLoaded } from './use-loaded.ts'

export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export type LoadPage<Item> = (signal?: AbortSignal, cursor?: string) => Promise<ListPage<Item>>

export interface List<Item> {
  readonly answer: Answer<ListPage<Item>>
  readonly reload: () => void
  /** Undefined when everything is shown. */
  readonly more: Action<[]> | undefined
}

/** A list that comes in pages; further ones are added when asked for. */
export function useList<Item>(loadPage: LoadPage<Item>): List<Item> {
  const [further, setFurther] = useState<ListPage<Item>>()
  const loadFirst = useCallback(
    async (signal: AbortSignal) => {
      const first = await loadPage(signal)
      setFurther(undefined)
      return first
    },
    [loadPage],
  )
  const { answer, reload } = useLoaded(loadFirst)
  const cursor = further?.next_cursor ?? (answer.state === 'loaded' ? answer.value.next_cursor : null)
  const isComplete = further === undefined ? cursor === null : further.next_cursor === null
  const { refresh } = useSession()
  const more = useAction(async () => {
    if (cursor === null) return
    const page = await loadPage(undefined, cursor).catch(async (error: unknown) => {
      if (isAboutWho(error)) await refresh()
      throw error
    })
    setFurther({ items: [...(further?.items ?? []), ...page.items], next_cursor: page.next_cursor })
  })
  const whole: Answer<ListPage<Item>> =
    answer.state === 'loaded' && further !== undefined
      ? {
          state: 'loaded',
          value: { items: [...answer.value.items, ...further.items], next_cursor: further.next_cursor },
        }
      : answer
  return { answer: whole, reload, more: isComplete ? undefined : more }
}
