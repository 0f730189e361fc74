import { type Answer, ask } from './ask.ts'
import { IDENTIFIER } from './night-lamp.ts'

interface Named {
  readonly url: string
}

/** Every address at which something of a private package of `ada` is, as its readers learn them. */
export async function privateAddresses(site: string, key: string): Promise<readonly string[]> {
  const feeds = ['tool', 'kicad'].map(
    (brand) => `${site}/registry/feeds/${brand}/ada/private/repository.json`,
  )
  const named = await Promise.all(feeds.map(async (feed) => filesOf(await ask(feed, key))))
  const lists = await Promise.all(
    named
      .flat()
      .filter(isList)
      .map((url) => ask(url, key)),
  )
  const contents = lists.flatMap(({ text }) => text.match(/http[^"]+\/registry\/[^"]+/g) ?? [])
  return [...new Set([...feeds, ...named.flat(), ...contents]), `${site}/registry/packages/${IDENTIFIER}`]
}

/** The same content asked for as if it were public. */
export function publicForm(url: string): string {
  return url.replace(/\/private-files\/[^/]+\//, '/files/')
}

/** Of archives, or of the manifests of what they install. */
function isList(url: string): boolean {
  return url.endsWith('/packages.json') || url.endsWith('/manifests.json')
}

function filesOf({ text }: Answer): string[] {
  const { packages, resources, manifests } = JSON.parse(text) as Record<string, Named | undefined>
  return [packages, resources, manifests].flatMap((each) => each?.url ?? [])
}
