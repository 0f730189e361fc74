/** Pictures of sheets, decoded once. */
const pictures = new Map<string, ImageBitmap | 'loading' | 'bad'>()
const MOST = 32

export function picturesOf(data: string, onLoaded: () => void): ImageBitmap | undefined {
  const found = pictures.get(data)
  if (typeof found === 'object') return found
  if (found !== undefined) return undefined
  for (const [key, old] of pictures) {
    if (pictures.size < MOST) break
    if (typeof old === 'object') old.close()
    pictures.delete(key)
  }
  pictures.set(data, 'loading')
  decode(data).then(
    (picture) => {
      pictures.set(data, picture)
      onLoaded()
    },
    () => pictures.set(data, 'bad'),
  )
  return undefined
}

async function decode(address: string): Promise<ImageBitmap> {
  const [head = '', data = ''] = address.split(',')
  const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0))
  return await createImageBitmap(
    new Blob([bytes], { type: head.slice('data:'.length).replace(';base64', '') }),
  )
}
