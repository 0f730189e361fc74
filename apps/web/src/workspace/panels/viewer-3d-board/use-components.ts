import { UserError } from '../../../errors/user-error.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchResult } from '../board-jobs/board-jobs.api.ts'
import { type JobState, useBoardJob } from '../board-jobs/use-board-job.ts'
import { words } from '../board-jobs/words.ts'
import { loadModel } from '../viewer-3d/load-model.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import { type PlacedComponents, placeComponents } from './place-components.ts'

const GLB = 'model/gltf-binary'

export interface ComponentsOf extends PlacedComponents {
  readonly scene: BoardScene
}

interface Shown {
  readonly path: string | undefined
  readonly tag: string | undefined
  readonly scene: BoardScene | undefined
}

/** The components of a board as KiCad builds them. */
export function useComponents(host: PanelHost, { path, tag, scene }: Shown): JobState<ComponentsOf> {
  return useBoardJob({
    host,
    path,
    operation: 'model',
    tag,
    read: async (job, signal) => {
      const found = job.results.find(({ mediaType }) => mediaType === GLB)
      if (found === undefined || scene === undefined)
        throw new UserError(words.failed.title, words.failed.text)
      const bytes = await fetchResult(host.workspace, job, found.name, signal)
      const { object } = await loadModel(bytes, found.name, signal)
      return { ...placeComponents(object, scene), scene }
    },
  })
}
