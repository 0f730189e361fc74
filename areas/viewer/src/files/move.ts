/**
 * How far a file is on its way. `unclaimed`: where it was. `claimed`: its new name is made, the old one still there.
 * `settled`: only under the new name. `foreign`: the new name is somebody else's. `lost`: nowhere.
 */
export type Progress = 'unclaimed' | 'claimed' | 'settled' | 'foreign' | 'lost'

/** `forward`: finish. `back`: as if it had never begun. `broken`: somebody took files away; what is left is theirs. */
export type Verdict = 'forward' | 'back' | 'broken'

/** What to do about a change that was interrupted. No file is settled before both are claimed, on disk as well. */
export function judge(files: readonly Progress[]): Verdict {
  if (files.every((file) => file === 'claimed' || file === 'settled')) return 'forward'
  if (!files.includes('settled')) return 'back'
  return files.includes('foreign') || files.includes('lost') ? 'broken' : 'forward'
}
