/** Where the sample goes; a workspace may have courses of its own beside it. */
export const SAMPLE_FOLDER = 'courses/from-blink-to-plot'

const FILES = import.meta.glob<string>('./sample-course/*', { query: '?raw', import: 'default' })

/** The files of the sample course, by their names. Fetched when somebody adds it. */
export async function loadSampleCourse(): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(FILES).toSorted()
  return new Map(
    await Promise.all(
      names.map(
        async (name) => [name.slice(name.lastIndexOf('/') + 1), (await FILES[name]?.()) ?? ''] as const,
      ),
    ),
  )
}
