interface RestrictionTargets {
  fromElement(element: Element): Promise<object>
}
interface RestrictableTrack extends MediaStreamTrack {
  restrictTo(target: object | null): Promise<void>
}

/**
 * From here on the track shows this element alone: nothing that lies over it, and all that lies in it. A clone would spare
 * the others of the track from it, but a track that has clones cannot be restricted.
 */
export async function restrictTo(track: MediaStreamTrack, element: HTMLElement): Promise<void> {
  const { RestrictionTarget } = globalThis as { RestrictionTarget?: RestrictionTargets }
  if (RestrictionTarget === undefined) throw new Error('This browser cannot capture part of its page')
  await (track as RestrictableTrack).restrictTo(await RestrictionTarget.fromElement(element))
}
