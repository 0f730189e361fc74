const LONGEST = 100

/** What a web view shows, and where it has been. */
export interface Viewing {
  readonly visits: readonly string[]
  /** The visit that shows; -1 before the first. */
  readonly at: number
  /** What the frame was last told to load, and how often it was told so. */
  readonly asked: string | undefined
  readonly load: number
  /** Whether the page of this load has said where it is. */
  readonly hasArrived: boolean
  /** Of the state that was last followed. */
  readonly followed: { readonly url: string | undefined; readonly refresh: number | undefined }
  readonly revision: number
}

export type ViewingStep =
  | { readonly type: 'go'; readonly url: string }
  | { readonly type: 'step'; readonly by: -1 | 1 }
  | { readonly type: 'reload' }
  | { readonly type: 'reported'; readonly url: string }
  | {
      readonly type: 'follow'
      readonly url: string | undefined
      readonly refresh: number | undefined
      readonly revision: number
      /** The address is what this page stored itself, and shows already. */
      readonly isEcho: boolean
    }

export function startViewing(
  url: string | undefined,
  refresh: number | undefined,
  revision: number,
): Viewing {
  const visits = url === undefined ? [] : [url]
  return {
    visits,
    at: visits.length - 1,
    asked: url,
    load: 0,
    hasArrived: false,
    followed: { url, refresh },
    revision,
  }
}

/** Where it is, as far as this page knows: a foreign frame does not tell. */
export function placeOf({ visits, at }: Viewing): string | undefined {
  return visits[at]
}

export function viewingAfter(viewing: Viewing, step: ViewingStep): Viewing {
  switch (step.type) {
    case 'go':
      return loaded(visited(viewing, step.url))
    case 'step': {
      const at = viewing.at + step.by
      return viewing.visits[at] === undefined ? viewing : loaded({ ...viewing, at })
    }
    case 'reload':
      return loaded(viewing)
    case 'reported':
      return reported(viewing, step.url)
    case 'follow':
    default:
      return followed(viewing, step)
  }
}

function loaded(viewing: Viewing): Viewing {
  return { ...viewing, asked: placeOf(viewing), load: viewing.load + 1, hasArrived: false }
}

function visited(viewing: Viewing, url: string): Viewing {
  if (placeOf(viewing) === url) return viewing
  const visits = [...viewing.visits.slice(0, viewing.at + 1), url].slice(-LONGEST)
  return { ...viewing, visits, at: visits.length - 1 }
}

/** The first report of a load says where redirects led: that is the same visit. */
function reported(viewing: Viewing, url: string): Viewing {
  if (viewing.hasArrived) return visited(viewing, url)
  return {
    ...viewing,
    hasArrived: true,
    visits: viewing.visits.map((visit, place) => (place === viewing.at ? url : visit)),
  }
}

function followed(viewing: Viewing, step: Extract<ViewingStep, { type: 'follow' }>): Viewing {
  const { url, refresh, revision, isEcho } = step
  const next = { ...viewing, followed: { url, refresh }, revision }
  const isElsewhere = url !== viewing.followed.url && !isEcho
  if (isElsewhere && url === undefined) return { ...next, asked: undefined }
  if (isElsewhere && url !== undefined) return loaded(visited(next, url))
  return refresh === viewing.followed.refresh ? next : loaded(next)
}
