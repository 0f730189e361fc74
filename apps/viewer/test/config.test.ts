import { readConfig } from '@patchbay/kernel/config'
import { expect, test } from 'vitest'
import { viewerConfig } from '../src/index.ts'
import { greeting } from '../src/run.ts'

const read = (environment: Record<string, string>) => readConfig(viewerConfig, environment)

test('[VA-1] addresses of this machine are bound, others are refused with the reason', () => {
  for (const host of ['127.0.0.1', '::1', 'localhost', '127.0.0.2'])
    expect(read({ PATCHBAY_VIEWER_HOST: host }).host).toBe(host)
  for (const host of ['0.0.0.0', '::', '192.168.0.7', 'example.org', 'localhost.example.org'])
    expect(() => read({ PATCHBAY_VIEWER_HOST: host })).toThrow(/is not this machine alone/)
  expect(read({})).toMatchObject({ host: '127.0.0.1', port: 8797, project: '.' })
})

test('[VA-20] the port is known beforehand: the system does not choose it', () => {
  expect(read({ PATCHBAY_VIEWER_PORT: '8798' }).port).toBe(8798)
  expect(() => read({ PATCHBAY_VIEWER_PORT: '0' })).toThrow(/0 is not between 1 and 65535/)
})

test('[VA-2] names come from this machine unless a model is configured, whole', () => {
  expect(read({}).naming).toBe('text')
  const model = { PATCHBAY_VIEWER_NAMING: 'model', PATCHBAY_VIEWER_MODEL: 'some-model' }
  expect(() => read({ PATCHBAY_VIEWER_NAMING: 'model' })).toThrow(/PATCHBAY_VIEWER_MODEL: is not set/)
  expect(() => read(model)).toThrow(/PATCHBAY_VIEWER_MODEL_KEY: is not set/)
  expect(() => read({ PATCHBAY_VIEWER_MODEL: 'some-model' })).toThrow(/not asked of a model/)
  const keyed = read({ ...model, PATCHBAY_VIEWER_MODEL_KEY: 'sk-very-secret' })
  expect(JSON.stringify(keyed)).not.toContain('sk-very-secret')
  const local = {
    PATCHBAY_VIEWER_MODEL_PROVIDER: 'openai',
    PATCHBAY_VIEWER_MODEL_URL: 'http://localhost:11434/v1',
  }
  expect(read({ ...model, ...local }).modelUrl).toBe('http://localhost:11434/v1')
})

test('[VA-3] frames are for origins alone', () => {
  expect(read({}).framedBy).toEqual(['http://localhost:8790', 'http://127.0.0.1:8790'])
  expect(
    read({ PATCHBAY_VIEWER_FRAMED_BY: 'https://board.example/,http://localhost:9000' }).framedBy,
  ).toEqual(['https://board.example', 'http://localhost:9000'])
  const strange = [
    '*',
    "'self'",
    'data:',
    'board.example',
    'https://board.example/path',
    'https://board.example;script-src *',
    'https://*.example',
    'https://a.example https://b.example',
    'https://ada:pw@board.example',
  ]
  for (const text of strange)
    expect(() => read({ PATCHBAY_VIEWER_FRAMED_BY: text })).toThrow(/is not the origin of a web page/)
})

test('[VA-2] whoever starts it is told who names, and where pictures go', () => {
  const status = { url: 'http://localhost:8797', folder: '/board/screenshots/sp' }
  const config = { model: 'some-model', modelProvider: 'anthropic', modelUrl: undefined } as const
  expect(greeting({ ...status, naming: 'model' }, config)).toContain(
    'by some-model; every picture is sent to anthropic',
  )
  expect(greeting({ ...status, naming: 'text' }, config)).toContain('read on this machine')
  expect(greeting({ ...status, naming: 'off' }, config)).toMatch(
    /open at http:\/\/localhost:8797\n.*\/board\/screenshots\/sp/,
  )
})
