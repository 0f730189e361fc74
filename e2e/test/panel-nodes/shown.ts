import type { Layout } from '@patchbay/contracts/panels'
import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { leaves } from '@patchbay/workspace-layout'
import type { OpenPage } from './nodes.ts'

/** The tabs of each leaf with the active one marked, as the page shows them. */
export async function leavesIn(page: Page): Promise<string[]> {
  const lists = await page
    .getByRole('tablist')
    .evaluateAll((elements) =>
      elements.map((list) =>
        [...list.querySelectorAll('[role=tab]')]
          .map(
            (tab) =>
              tab.getAttribute('aria-label') + (tab.getAttribute('aria-selected') === 'true' ? '*' : ''),
          )
          .join(', '),
      ),
    )
  return lists.toSorted()
}

export function leavesOf(layout: Layout): string[] {
  return leaves(layout)
    .map(({ tabs, activeTabId }) =>
      tabs.map(({ id, title }) => title + (id === activeTabId ? '*' : '')).join(', '),
    )
    .toSorted()
}

/** The borders of a page by the split that they belong to, in hundredths. */
export async function bordersIn(page: Page): Promise<Record<string, number>> {
  const found = await page
    .getByRole('separator')
    .evaluateAll((elements) =>
      elements.map((border) => [border.dataset['splitId'], Number(border.getAttribute('aria-valuenow'))]),
    )
  return Object.fromEntries(found) as Record<string, number>
}

/**
 * Waits until the server has confirmed everything that a page has done. After a lost connection that is what it has said
 * again: the rest it found done. Answers how much it did in all.
 */
export async function allConfirmed({ said, saidSinceOpened, heard }: OpenPage): Promise<number> {
  const open = () => {
    const confirmed = new Set(heard('changed').flatMap(({ ids }) => ids))
    return saidSinceOpened().filter((message) => message.type === 'change' && !confirmed.has(message.id))
  }
  await waitUntil('all that the page did is confirmed', () => open().length === 0, {
    deadlineMs: 30_000,
  }).catch((error: unknown) => {
    throw new Error(
      `open after ${heard('opened').length} connections: ${JSON.stringify(open())}, ${String(error)}`,
      {
        cause: error,
      },
    )
  })
  const refused = heard('refused').map(({ code, message }) => `${code}: ${message}`)
  if (refused.length > 0) throw new Error(`the server refused ${refused.join(', ')}`)
  return new Set(said('change').map(({ id }) => id)).size
}
