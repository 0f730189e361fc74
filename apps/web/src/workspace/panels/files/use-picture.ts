import { useEffect, useState } from 'react'
import { pictureOf } from './file-content.ts'

/** Where a picture can be shown from, as long as it is shown. `null`: it is none. `undefined`: that is not known yet. */
export function usePicture(
  bytes: Uint8Array<ArrayBuffer> | undefined,
  mediaType: string,
): string | null | undefined {
  const [picture, setPicture] = useState<string | null>()
  useEffect(() => {
    if (bytes === undefined) return undefined
    let isGone = false
    let made: string | undefined
    void pictureOf(bytes, mediaType).then((address) => {
      made = address
      if (!isGone) setPicture(address ?? null)
      else if (address !== undefined) URL.revokeObjectURL(address)
    })
    return () => {
      isGone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [bytes, mediaType])
  return picture
}
