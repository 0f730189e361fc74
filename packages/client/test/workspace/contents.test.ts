import { expect, test, vi } from 'vitest'
import { streamedFetch } from '../../src/workspace/bounded-fetch.ts'

/** A server that sends what it is told, when it is told. */
async function openStream() {
  const sent = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  const writer = sent.writable.getWriter()
  let body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  await streamedFetch(
    async () => new Response(sent.readable),
    (stream) => {
      body = stream
    },
  )('http://127.0.0.1/')
  if (body === undefined) throw new Error('no stream')
  return { writer, reader: body.getReader() }
}

test('[CL-129] a stream of which nothing comes for a minute fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { reader } = await openStream()
    const reading = reader.read().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await reading).toMatchObject({ name: 'Unanswered' })
  } finally {
    vi.useRealTimers()
  }
})

test('[CL-129] a reader that pauses for longer gets the rest', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { writer, reader } = await openStream()
    const writing = writer.write(new Uint8Array([1])).then(() => writer.write(new Uint8Array([2])))
    expect((await reader.read()).value).toEqual(new Uint8Array([1]))
    await vi.advanceTimersByTimeAsync(300_000)
    expect((await reader.read()).value).toEqual(new Uint8Array([2]))
    await writing
    void writer.close()
    expect((await reader.read()).done).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('[CL-129] a stream that is canceled ends the request', async () => {
  const { writer, reader } = await openStream()
  await reader.cancel('enough')
  await expect(writer.closed).rejects.toBe('enough')
})
