import { useEffect } from 'react'

export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Patchbay`
  }, [title])
}
