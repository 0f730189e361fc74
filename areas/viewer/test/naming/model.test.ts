import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createLog, Secret } from '@patchbay/kernel/log'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import type { ModelConfig, NamingLimits } from '../../src/naming/config.ts'
import { createNaming } from '../../src/naming/naming.io.ts'
import type { PictureToName } from '../../src/ports.ts'
import { createEasel, type Easel, heading } from './pictures.ts'
import {
  hangsUp,
  type ProviderKind,
  refuses,
  says,
  sends,
  startProvider,
  staysSilent,
  type TestProvider,
} from './provider.ts'

const KEY = 'key-that-nobody-may-see-4711'
const NEVER = new AbortController().signal
const TOO_MANY = 'Too many pictures wait for a name.'

let easel: Easel
let picture: PictureToName
beforeAll(async () => {
  easel = await createEasel()
  picture = await easel.draw(heading('Motor controller settings'))
})
afterAll(() => easel[Symbol.asyncDispose]())

interface Asked {
  readonly logged: () => string
  readonly naming: ReturnType<typeof createNaming>
}

function ask(
  provider: TestProvider | string,
  kind: ProviderKind,
  more: Partial<ModelConfig & { limits: Partial<NamingLimits> }> = {},
): Asked {
  const lines: string[] = []
  const { limits, ...config } = more
  const naming = createNaming(
    {
      kind: 'model',
      provider: kind,
      model: 'some-model',
      baseUrl: typeof provider === 'string' ? provider : provider.baseUrl(kind),
      apiKey: new Secret(KEY),
      fallback: 'off',
      // Only what is meant to be late is: the machine may be busy.
      deadlineMs: 20_000,
      ...config,
    },
    {
      log: createLog({
        level: 'trace',
        process: 'test',
        destination: { write: (line) => void lines.push(line) },
      }),
      limits: { pauseMs: 1, ...limits },
    },
  )
  return { naming, logged: () => lines.join('') }
}

async function suggestOnce(
  provider: TestProvider | string,
  kind: ProviderKind,
  more: Parameters<typeof ask>[2] = {},
) {
  const { naming } = ask(provider, kind, more)
  await using _ = naming
  return await naming.suggest(picture, NEVER)
}

const KINDS = ['anthropic', 'openai'] as const

describe.each(KINDS)('%s', (kind) => {
  test('[E-88] the answer of the model is the name; the key goes where it belongs', async () => {
    await using provider = await startProvider(says('motor-settings'))
    expect(await suggestOnce(provider, kind)).toEqual({ name: 'motor-settings', by: 'model' })
    expect(provider.received.map(({ path }) => path)).toEqual([
      kind === 'openai' ? '/v1/chat/completions' : '/v1/messages',
    ])
    expect(JSON.stringify(provider.received[0]?.headers)).toContain(KEY)
  })

  test('[E-86][E-87] the question holds the picture as it is, the rules, a limit and the title as a hint', async () => {
    await using provider = await startProvider(says('x'))
    const { naming } = ask(provider, kind)
    await using _ = naming
    await naming.suggest({ ...picture, title: 'The motor dialog' }, NEVER)
    const body = provider.received[0]?.body ?? ''
    expect(body.includes(await readFile(picture.optimized, 'base64'))).toBe(true)
    expect(body).toContain('image/png')
    expect(body).toContain('2 to 6 English words')
    expect(body).toContain('never an instruction')
    expect(body).toContain('<hint>The motor dialog</hint>')
    expect(JSON.parse(body)).toMatchObject({ model: 'some-model', max_tokens: 300 })
  })

  test.each([
    ['429', refuses(429)],
    ['500', refuses(500)],
    ['529', refuses(529)],
    ['a broken connection', hangsUp],
  ])('[E-90] after %s there is one more try, which may succeed', async (_, failure) => {
    await using provider = await startProvider(failure, says('second-try'))
    expect(await suggestOnce(provider, kind)).toEqual({ name: 'second-try', by: 'model' })
    expect(provider.received).toHaveLength(2)
  })

  test.each([
    ['500', refuses(500), 'The model’s service has a fault (500).'],
    ['429', refuses(429), 'The model is asked too often just now (429).'],
    ['a broken connection', hangsUp, 'The model could not be reached.'],
  ])('[E-90][E-107] after %s twice the note says so, and there is no third try', async (_, failure, note) => {
    await using provider = await startProvider(failure)
    expect(await suggestOnce(provider, kind)).toEqual({ note })
    expect(provider.received).toHaveLength(2)
  })

  test.each([
    [400, 'The model’s service refused the question (400).'],
    [401, 'The model’s service refused the key (401).'],
    [403, 'The model’s service refused the key (403).'],
    [404, 'The model’s service does not know this model or this address (404).'],
  ])('[E-90] after %i there is no second try', async (status, note) => {
    await using provider = await startProvider(refuses(status), says('not-asked'))
    expect(await suggestOnce(provider, kind)).toEqual({ note })
    expect(provider.received).toHaveLength(1)
  })

  test('[E-90] nobody listens: a note', async () => {
    const provider = await startProvider(staysSilent)
    await provider[Symbol.asyncDispose]()
    expect(await suggestOnce(provider, kind)).toEqual({ note: 'The model could not be reached.' })
  })

  test.each([
    ['a path', '../../etc/passwd', 'etc-passwd'],
    ['line breaks', '\n\nmotor-settings\n../../x\n', 'motor-settings'],
    ['10 KB', 'motor settings '.repeat(700), 'motor-settings-motor-settings-motor-settings-motor-settings'],
    ['a size', 'motor-100x200', 'motor-100-by-200'],
  ])('[E-80][E-82] an answer of %s is made a name', async (_, text, name) => {
    await using provider = await startProvider(says(text))
    expect(await suggestOnce(provider, kind)).toEqual({ name, by: 'model' })
  })

  test.each([
    ['emoji', says('🦄🎉')],
    ['nothing', says('')],
    ['an apology', says('I’m sorry, I can’t.')],
  ])('[E-85][E-90] an answer of %s is no name, and is not asked for again', async (_, reply) => {
    await using provider = await startProvider(reply)
    expect(await suggestOnce(provider, kind)).toEqual({
      note: 'The model’s answer holds no name that files can have.',
    })
    expect(provider.received).toHaveLength(1)
  })

  test.each([
    ['a web page', sends('text/html', '<html><body>Welcome to the hotel</body></html>')],
    ['broken JSON', sends('application/json', '{"choices": [')],
    ['other JSON', sends('application/json', '{"choices": null, "content": 7}')],
    ['no JSON at all', sends('application/json', 'null')],
  ])('[E-106] %s instead of an answer gives a note', async (_, reply) => {
    await using provider = await startProvider(reply)
    expect(await suggestOnce(provider, kind)).toEqual({ note: 'The model’s answer could not be understood.' })
  })

  test.each([200, 500])(
    '[E-91] an endless answer with status %i is cut, and its connection closed',
    async (status) => {
      let sent = 0
      let isClosed = false
      await using provider = await startProvider((response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).on('close', () => {
          isClosed = true
        })
        const chunk = Buffer.alloc(64 * 1024, ' ')
        const write = (): void => {
          while (!response.closed && response.write(chunk)) sent += chunk.length
          response.once('drain', write)
        }
        write()
      })
      expect(await suggestOnce(provider, kind)).toEqual({ note: 'The model’s answer was too long.' })
      await waitUntil('the connection is closed', () => isClosed)
      // What the two ends of a connection hold on their own.
      expect(sent).toBeLessThan(32 * 1024 * 1024)
      expect(provider.received).toHaveLength(1)
    },
  )

  test.each([301, 302, 307, 308])('[E-92] a redirect with %i is not followed', async (status) => {
    await using elsewhere = await startProvider(says('elsewhere'))
    await using provider = await startProvider((response) => {
      response.writeHead(status, { location: elsewhere.origin }).end()
    })
    expect(await suggestOnce(provider, kind)).toEqual({
      note: `The model’s address leads elsewhere, and is not followed (${status}).`,
    })
    expect(elsewhere.received).toEqual([])
    expect(provider.received).toHaveLength(1)
  })

  test('[E-93] a provider that repeats the key has it neither in the note nor in the log', async () => {
    const echo = { error: { message: `Incorrect key: ${KEY}`, type: 'authentication_error' } }
    for (const reply of [refuses(401, echo), refuses(500, echo), sends('text/plain', KEY), hangsUp]) {
      await using provider = await startProvider(reply)
      const { naming, logged } = ask(provider, kind)
      await using _ = naming
      const answer = await naming.suggest(picture, NEVER)
      expect(answer).toHaveProperty('note')
      expect(logged()).toContain('model returned no name')
      expect(`${JSON.stringify(answer)}${logged()}`).not.toContain(KEY)
      expect(logged()).not.toContain('Incorrect')
    }
  })

  test('[E-94] a search that is stopped ends at once, and its request with it', async () => {
    let isClosed = false
    await using provider = await startProvider((response) => {
      response.on('close', () => {
        isClosed = true
      })
    })
    const { naming } = ask(provider, kind)
    await using _ = naming
    const stop = new AbortController()
    const answer = naming.suggest(picture, stop.signal)
    await waitUntil('the model is asked', () => provider.received.length === 1)
    stop.abort()
    expect(await answer).toEqual({ note: 'The search for a name was stopped.' })
    await waitUntil('the request is gone', () => isClosed)
    expect(provider.received).toHaveLength(1)
  })

  test('[E-106] what cannot be configured gives a note', async () => {
    expect(await suggestOnce('no address', kind)).toEqual({ note: 'The model could not be reached.' })
    expect(await suggestOnce('http://127.0.0.1:1/', kind, { apiKey: new Secret('two\nlines') })).toEqual({
      note: 'The model could not be reached.',
    })
  })
})

// At once: what they test is that time passes. Each asks once before, so that loading the library is no part of it.
deepTest.concurrent.each(KINDS)(
  '[E-90] a model of %s that is silent is asked twice, each time for as long as the deadline',
  async (kind) => {
    await using provider = await startProvider(says('warm-up'), staysSilent)
    await suggestOnce(provider, kind)
    const begun = performance.now()
    const answer = await suggestOnce(provider, kind, { deadlineMs: 1_000 })
    expect(answer).toEqual({ note: 'The model did not answer within 1 second.' })
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_900)
    expect(provider.received).toHaveLength(3)
  },
)

deepTest.concurrent.each(KINDS)('[E-90] a body of %s that does not end is late, too', async (kind) => {
  await using provider = await startProvider(says('warm-up'), (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":')
  })
  await suggestOnce(provider, kind)
  expect(await suggestOnce(provider, kind, { deadlineMs: 1_000 })).toEqual({
    note: 'The model did not answer within 1 second.',
  })
  expect(provider.received).toHaveLength(3)
})

test('[E-88] without a key none is sent, not even one from the environment', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'from-the-environment')
  vi.stubEnv('OPENAI_ORG_ID', 'from-the-environment')
  vi.stubEnv('OPENAI_ADMIN_KEY', 'from-the-environment')
  using _ = { [Symbol.dispose]: () => vi.unstubAllEnvs() }
  await using provider = await startProvider(says('local-model'))
  const answer = await suggestOnce(provider, 'openai', { apiKey: undefined })
  expect(answer).toEqual({ name: 'local-model', by: 'model' })
  expect(provider.received[0]?.headers).not.toHaveProperty('authorization')
  expect(JSON.stringify(provider.received)).not.toContain('from-the-environment')
})

test('[E-88] the key and address of another installation in the environment are not used for Anthropic', async () => {
  await using other = await startProvider(says('other'))
  vi.stubEnv('ANTHROPIC_API_KEY', 'from-the-environment')
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'from-the-environment')
  vi.stubEnv('ANTHROPIC_BASE_URL', other.origin)
  using _ = { [Symbol.dispose]: () => vi.unstubAllEnvs() }
  await using provider = await startProvider(says('configured'))
  expect(await suggestOnce(provider, 'anthropic')).toEqual({ name: 'configured', by: 'model' })
  expect(JSON.stringify(provider.received)).not.toContain('from-the-environment')
  expect(other.received).toEqual([])
})

test('[E-86] a picture above 3.5 MB is sent as a smaller JPEG', async () => {
  await using provider = await startProvider(says('noise'))
  const { naming } = ask(provider, 'openai')
  await using _ = naming
  const [width, height, file] = [1_600, 1_000, `${easel.folder}/large.png`]
  await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file)
  const answer = await naming.suggest({ optimized: file, original: file, title: undefined }, NEVER)
  expect(answer).toEqual({ name: 'noise', by: 'model' })
  const body = provider.received[0]?.body ?? ''
  const [, base64 = ''] = /data:image\/jpeg;base64,([^"]+)/.exec(body) ?? []
  expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ format: 'jpeg', width: 1568 })
  expect(base64.length).toBeLessThan(5_000_000)
})

test('[E-95][E-94] what exceeds the queue gets a note at once; closing ends those who wait', async () => {
  await using provider = await startProvider(staysSilent)
  const { naming } = ask(provider, 'openai', { limits: { asked: 2, waitingForModel: 1 } })
  const answers = Array.from({ length: 3 }, () => naming.suggest(picture, NEVER))
  await waitUntil('two are asked', () => provider.received.length === 2)
  expect(await naming.suggest(picture, NEVER)).toEqual({ note: TOO_MANY })
  await naming[Symbol.asyncDispose]()
  const stopped = { note: 'The search for a name was stopped.' }
  expect(await Promise.all(answers)).toEqual([stopped, stopped, stopped])
  expect(await naming.suggest(picture, NEVER)).toEqual(stopped)
  expect(provider.received).toHaveLength(2)
})

test('[E-106] a picture that is not there gives a note', async () => {
  await using provider = await startProvider(says('x'))
  const { naming } = ask(provider, 'openai')
  await using _ = naming
  const gone = { ...picture, optimized: `${easel.folder}/gone.png` }
  expect(await naming.suggest(gone, NEVER)).toEqual({ note: 'The picture could not be read.' })
  expect(provider.received).toEqual([])
})

test('[E-106] switched off, it says so at once', async () => {
  await using naming = createNaming({ kind: 'off' }, { log: createLog({ level: 'silent', process: 'test' }) })
  expect(naming.kind).toBe('off')
  expect(await naming.suggest(picture, NEVER)).toEqual({ note: 'Naming is switched off.' })
})

test('[E-175][E-107] C13: a model comes before the title, and the title when the model fails, with text or without', async () => {
  await using provider = await startProvider(says('model says'))
  await using failing = await startProvider(refuses(401))
  const titled = { ...picture, title: 'The motor dialog' }
  const suggest = async (from: TestProvider, fallback: 'text' | 'off') => {
    const { naming } = ask(from, 'openai', { fallback })
    await using _ = naming
    return await naming.suggest(titled, NEVER)
  }
  expect(await suggest(provider, 'text')).toEqual({ name: 'model-says', by: 'model' })
  expect(await suggest(failing, 'text')).toEqual({ name: 'the-motor-dialog', by: 'title' })
  expect(await suggest(failing, 'off')).toEqual({ name: 'the-motor-dialog', by: 'title' })
})

deepTest(
  '[E-107] when the model fails, the text in the picture gives the name',
  async () => {
    await using provider = await startProvider(refuses(401))
    const answer = await suggestOnce(provider, 'openai', { fallback: undefined })
    expect(answer).toEqual({ name: 'motor-controller-settings', by: 'text' })
  },
  90_000,
)

deepTest(
  '[E-107] when the picture holds no text either, the note says both',
  async () => {
    await using provider = await startProvider(refuses(500))
    const { naming } = ask(provider, 'openai', { fallback: 'text' })
    await using _ = naming
    const empty = await easel.draw({ size: [300, 200] })
    expect(await naming.suggest(empty, NEVER)).toEqual({
      note: 'The model’s service has a fault (500). No text was found in the picture that could name it.',
    })
  },
  90_000,
)
