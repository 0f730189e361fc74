import type { PasteFolder } from '../../src/ports.ts'
import { addPaste, type Project } from './project.ts'

export interface Scenario {
  readonly prepare: (project: Project, folder: PasteFolder) => Promise<unknown>
  /** `id`: of the paste that was prepared. */
  readonly operate: (project: Project, folder: PasteFolder, id: string) => Promise<unknown>
}

const addLogin = async (project: Project, folder: PasteFolder) => {
  const { id } = await addPaste(project, folder, 'login')
  return await folder.rename(id, 'login', 'text')
}

/** Somebody else has one file of this name. */
export const TAKEN = { 'taken-900x600-original.png': 'of somebody else' }

/** Every change that is made to a paste. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  add: { prepare: addLogin, operate: (project, folder) => addPaste(project, folder, 'second') },
  rename: { prepare: addLogin, operate: (_, folder, id) => folder.rename(id, 'taken', 'person') },
  undo: { prepare: addLogin, operate: (_, folder, id) => folder.undo(id) },
  endNaming: {
    prepare: (project, folder) => addPaste(project, folder, 'login'),
    operate: (_, folder, id) => folder.endNaming(id, 'nothing to be seen'),
  },
  remove: { prepare: addLogin, operate: (_, folder, id) => folder.remove(id) },
  'bring back': {
    prepare: async (project, folder) => folder.remove((await addLogin(project, folder)).id),
    operate: (_, folder, id) => folder.undo(id),
  },
}
