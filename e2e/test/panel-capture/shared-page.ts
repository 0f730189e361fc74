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

export const monitor = (page: Page) =>
  page.getByRole('button', { name: 'Share this workspace for screenshots' })

export async function isShared(page: Page, wanted: boolean): Promise<void> {
  await page
    .locator(`button[aria-label="Share this workspace for screenshots"][aria-pressed=${wanted}]`)
    .waitFor()
}

export async function startSharing(page: Page): Promise<void> {
  await monitor(page).click()
  await isShared(page, true)
}
