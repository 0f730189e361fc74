import type { Paste } from '@patchbay/contracts/viewer'

/** A paste as the viewer tells it, the higher the number the newer. */
export function pasteNumber(number: number, change: Partial<Paste> = {}): Paste {
  const file = { file: 'x.png', path: 'screenshots/sp/x.png', absolute_path: '/x.png', url: '/pastes/x.png' }
  const size = { width: 900, height: 600, bytes: 1000 }
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    title: null,
    state: 'named',
    name: `picture-${number}`,
    named_by: 'model',
    naming_note: null,
    can_undo: false,
    optimized: { ...file, ...size },
    original: { ...file, ...size },
    source: { type: 'image/png', bytes: 1000, file_name: null },
    ...change,
  }
}
