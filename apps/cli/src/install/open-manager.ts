import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallFailure, openManager, type PackageManager } from '@patchbay/package-manager'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import { sentence } from '../command/sentence.ts'
import { USUAL_BRAND } from '../package/usual-brand.ts'
import { ANY_TOOL, forAnyTool } from './any-tool.ts'
import { joinSources } from './join-sources.ts'
import { type SourceWords, sourcesFor } from './open-sources.ts'
import { type Place, placeFor, runtimesFor, type TargetWords } from './places.ts'
import { readSettings } from './settings.ts'
import { unknownPackage } from './unknown-package.ts'

export interface ManagerWords extends SourceWords, TargetWords {
  readonly json?: boolean
}

export interface Workbench {
  readonly manager: PackageManager
  readonly place: Place
  /** A sentence about the tool that a version needs, when nobody said which one there is. */
  toolNotice(identifier: string, version: string | undefined): string | undefined
  /** Adds what was probably meant to the failures that a slip of the finger makes. */
  suggest<T>(identifier: string, work: Promise<T>): Promise<T>
}

/** The manager of the folder that packages go to. */
export async function openWorkbench(task: Task, words: ManagerWords): Promise<Workbench> {
  const settings = await readSettings(task.surroundings)
  const place = placeFor(task.surroundings, words, settings.target)
  const sources = await sourcesFor(task, words, settings)
  const joined = joinSources(task, sources)
  const target = {
    toolVersion: place.toolVersion ?? ANY_TOOL,
    platform: place.platform,
    ...runtimesFor(place),
  }
  const anyTool = place.toolVersion === undefined ? forAnyTool(joined, target) : undefined
  const brands = sources.flatMap(({ toolBrand }) => toolBrand ?? [])
  const manager = await openManager({
    root: place.root,
    stateFolder: join(place.root, '.patchbay'),
    target,
    source: anyTool ?? joined,
    brands: [...new Set([...brands, words.toolBrand ?? USUAL_BRAND])],
    onNotice: (message) => task.notify(sentence(message)),
  })
  return {
    manager,
    place,
    toolNotice(identifier, version) {
      const needs = version === undefined ? undefined : anyTool?.needs(identifier, version)
      if (needs === undefined) return undefined
      return `It needs tool version ${needs}. Yours is not known here; say it once with "patchbay source target --tool-version X".`
    },
    async suggest(identifier, work) {
      try {
        return await work
      } catch (error) {
        if (!(error instanceof InstallFailure)) throw error
        if (error.code === 'unknown_package') throw await unknownPackage(identifier, joined, error.message)
        if (error.code === 'not_installed') throw await notInstalled(identifier)
        throw error
      }
    },
  }

  async function notInstalled(identifier: string): Promise<Refusal> {
    const installed = (await manager.list()).map((each) => each.identifier)
    const meant = nearest(identifier, installed)
    return new Refusal(
      EXIT.failed,
      'not_installed',
      `${identifier} is not installed in ${place.root}.\n${meant === undefined ? 'Run "patchbay list" to see what is.' : `Did you mean ${meant}?`}`,
      { identifier, ...(meant === undefined ? {} : { did_you_mean: meant }) },
    )
  }
}

/** Whether anything can be installed there. Looking must not make folders. */
export async function hasRoot(
  task: Task,
  words: ManagerWords,
): Promise<Place & { readonly isThere: boolean }> {
  const { target } = await readSettings(task.surroundings)
  const place = placeFor(task.surroundings, words, target)
  const stats = await stat(place.root).catch(() => undefined)
  return { ...place, isThere: stats?.isDirectory() === true }
}
