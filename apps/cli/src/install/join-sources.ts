import { type InstallSource, RepositoryFailure } from '@patchbay/package-manager'
import type { Task } from '../command/run-task.ts'
import { openSource } from './open-sources.ts'
import type { PackageSource } from './package-source.ts'
import type { SourceSettings } from './settings.ts'

export interface JoinedSources extends InstallSource {
  open(): Promise<readonly PackageSource[]>
}

/** Several sources as one: a package comes from the first that has it. Nothing is asked before it is needed. */
export function joinSources(task: Task, settings: readonly SourceSettings[]): JoinedSources {
  let opened: Promise<readonly PackageSource[]> | undefined
  const open = () => (opened ??= Promise.all(settings.map((each) => openSource(task, each))))
  return {
    open,
    async find(identifier) {
      for (const source of await open()) {
        const offer = await source.find(identifier).catch((error: unknown) => {
          task.signal.throwIfAborted()
          // A package that this one may have must not come from the next one, which anybody may have filled.
          if (settings.length === 1 || !(error instanceof RepositoryFailure) || !error.isPassing) throw error
          throw new RepositoryFailure(
            'repository_unanswered',
            `${identifier} may be one of its packages; try again later, or name the source to take it from with --server or --repo`,
            { url: source.url, cause: error },
          )
        })
        if (offer !== undefined) return offer
      }
      return undefined
    },
  }
}
