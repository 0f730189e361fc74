import { type RefObject, useState } from 'react'
import type { Fit } from './player-tools.tsx'

interface Sound {
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
  /** The browser turns it off where nobody has pressed anything yet. */
  readonly follow: () => void
}

/** Sound is each person's own, and off until they turn it on: nobody is to be startled by what somebody else has opened. */
export function useSound(video: RefObject<HTMLVideoElement | null>): Sound {
  const [isOn, setOn] = useState(false)
  const set = (next: boolean) => {
    mute(video.current, !next)
    setOn(next)
  }
  return { isOn, set, follow: () => setOn(video.current?.muted === false) }
}

function mute(video: HTMLVideoElement | null, isMuted: boolean): void {
  if (video !== null) video.muted = isMuted
}

/** How the picture fills the panel: for everybody, or for whoever may only look, here alone. */
export function useFit(stored: Fit | undefined, store: ((fit: Fit) => void) | undefined) {
  const [own, setOwn] = useState<Fit>()
  const fit = (store === undefined ? own : undefined) ?? stored ?? 'contain'
  return { fit, setFit: store ?? setOwn }
}
