import type { Page, PageOptions, WatchedPage } from '@patchbay/testkit/chromium'
import { useWorkspaces, type Workspace, type WorkspaceBench } from '../workspace-pages/workspace.ts'

export interface CaptureBench extends WorkspaceBench {
  /** A browser that has the workspace open, whose person has pressed Share in the bar. */
  openShared(workspace: Workspace, options?: PageOptions): Promise<WatchedPage>
}

/** The browser's own question is answered with yes. The whole browser: the windowless one has nothing to share. */
export const SHARING_CHROMIUM = {
  isWhole: true,
  args: ['--auto-accept-this-tab-capture'],
}

export function useCaptures(): CaptureBench {
  const bench = useWorkspaces({ chromium: SHARING_CHROMIUM })
  return {
    ...bench,
    get site() {
      return bench.site
    },
    async openShared(workspace, options) {
      const watched = await bench.open(workspace, { viewport: { width: 900, height: 600 }, ...options })
      await startSharing(watched.page)
      return watched
    },
  }
}

/** What the person shares, as the monitor in the bar says it. */
type Shared = 'off' | 'page' | 'screen' | 'page screen'

export const monitor = (page: Page) => page.locator('header button[data-sharing]')

export async function isShared(page: Page, wanted: Shared): Promise<void> {
  await page.locator(`header button[data-sharing="${wanted}"]`).waitFor()
}

/** Opens the monitor's menu and chooses what it offers. */
export async function chooseSharing(page: Page, entry: string): Promise<void> {
  await monitor(page).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

export async function startSharing(page: Page): Promise<void> {
  await chooseSharing(page, 'Share this page')
  await isShared(page, 'page')
}
