import type { ArchiveRefusal } from '../../src/index.ts'
import { forgeWith } from '../sample.ts'
import type { HostileCase } from './hostile-case.ts'

function together(reason: ArchiveRefusal, lists: readonly (readonly string[])[]): HostileCase[] {
  return lists.map((names) => ({
    title: JSON.stringify(names),
    reason,
    bytes: () => forgeWith(...names.map((name) => (name.endsWith('/') ? { name } : { name, data: name }))),
  }))
}

export const DUPLICATES = together('duplicate_name', [
  ['plugins/main.py'],
  ['metadata.json'],
  ['plugins/a', 'plugins/a'],
  ['plugins/a', 'plugins/a/'],
  ['plugins/a/', 'plugins/a'],
  ['plugins/a/', 'plugins/a/'],
  ['plugins/a', 'plugins/a/b'],
  ['plugins/a/b', 'plugins/a'],
  ['plugins/a/b/c/d', 'plugins/a/b'],
  ['plugins'],
  ['README', 'README'],
])

export const COLLISIONS = together('case_collision', [
  ['plugins/MAIN.py'],
  ['Metadata.JSON'],
  ['Plugins/a.py'],
  ['plugins/a/x', 'plugins/A/y'],
  ['plugins/a/', 'plugins/A/'],
  ['plugins/a', 'plugins/A/b'],
  ['plugins/A/b', 'plugins/a'],
  ['plugins/caf\u00e9', 'plugins/cafe\u0301'],
  ['plugins/\u212b', 'plugins/\u00c5'],
  ['plugins/\u1e69', 'plugins/s\u0307\u0323'],
  ['plugins/Stra\u00dfe', 'plugins/STRASSE'],
  ['plugins/\u03c3', 'plugins/\u03c2'],
  ['plugins/\u212a', 'plugins/k'],
  ['plugins/\u017f', 'plugins/S'],
  ['plugins/\ufb01', 'plugins/FI'],
  ['plugins/caf\u00e9/x', 'plugins/CAFE\u0301/y'],
  ['plugins/\u03b1\u0345\u0301', 'plugins/\u03b1\u0301\u0345'],
  ['colors/\u0130', 'colors/i\u0307'],
  ['3DModels/x', '3dmodels/y'],
])
