import { useEffect, useState } from 'react'

const EVERY_MS = 30_000

/** The time, as far as words for it need to know. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const tick = setInterval(() => setNow(new Date()), EVERY_MS)
    return () => clearInterval(tick)
  }, [])
  return now
}
