import type { Change, OperationOptions } from '../change.ts'
import { InstallFailure } from '../install-failure.ts'
import { homeOf } from '../layout.ts'
import { copyGeneration } from '../stage/copy-generation.ts'
import type { InstalledState } from '../state/installed-state.ts'
import { readManifest } from '../state/manifest.ts'
import type { Workplace } from '../workplace.ts'
import { findInstalled } from './find-installed.ts'
import { findTrees } from './obstacles.ts'
import { replace } from './replace.ts'

/** Installs the version that was there before; the current one becomes the previous one. */
export async function rollback(
  place: Workplace,
  state: InstalledState,
  identifier: string,
  { force = false }: Pick<OperationOptions, 'force'> = {},
): Promise<Change> {
  const { current, previous } = findInstalled(state, identifier)
  if (previous === undefined)
    throw new InstallFailure(
      'no_previous',
      `no earlier version of ${identifier} is kept: install one by its name`,
      {
        identifier,
      },
    )
  const home = homeOf(place.layout, identifier, previous.number)
  const manifest = await readManifest(home)
  if (manifest === undefined)
    throw new InstallFailure(
      'no_previous',
      `the earlier version of ${identifier} in ${home} is damaged: install ${previous.version} by its name`,
      { identifier },
    )
  return replace(place, state, {
    identifier,
    kind: 'rolled_back',
    patterns: [...new Set([...previous.keep_on_update, ...current.keep_on_update])],
    force,
    warnings: [],
    async stage(fresh) {
      await copyGeneration(home, fresh, identifier, await findTrees(home, identifier))
      await place.step('previous version copied')
      return { generation: previous, files: manifest.files }
    },
  })
}
