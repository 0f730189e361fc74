import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseObjectsUrl } from '../../src/objects/index.ts'

const S3 = { kind: 's3', bucket: 'my-bucket', prefix: '', region: 'us-east-1', forcePathStyle: false }

test.for([
  ['file:///var/lib/patchbay/objects', '/var/lib/patchbay/objects'],
  ['file:///with%20space/%C3%A9', '/with space/é'],
  ['file:///a/../b', '/b'],
] as const)('[K-641] %s is a folder', ([url, root]) => {
  expect(parseObjectsUrl(url)).toEqual({ kind: 'file', root })
})

test.for([
  'file:///',
  'file:///.',
  'file:data',
  'file:./data',
  'file:/data',
  'file:////server/share',
  'file://server/share',
  'file:///a%2fb',
  'file:///a%00b',
  'file:///a%b',
  'file:///a?x=1',
  'file:///a#b',
  '/var/lib/objects',
])('[K-641] %s is refused', (url) => {
  expect(() => parseObjectsUrl(url)).toThrow(TypeError)
})

test.for([
  ['s3://my-bucket', S3],
  ['s3://my-bucket/', S3],
  ['s3://my-bucket/team', { ...S3, prefix: 'team/' }],
  ['s3://my-bucket/team/a_b/', { ...S3, prefix: 'team/a_b/' }],
  ['s3://my-bucket?region=eu-central-1', { ...S3, region: 'eu-central-1' }],
  ['s3://my-bucket?path_style=true', { ...S3, forcePathStyle: true }],
  [
    's3://my-bucket?endpoint=http://127.0.0.1:9000',
    { ...S3, endpoint: 'http://127.0.0.1:9000', forcePathStyle: true },
  ],
  [
    's3://my-bucket/p?endpoint=https%3A%2F%2Fs3.example.org&region=x&path_style=false',
    { ...S3, prefix: 'p/', endpoint: 'https://s3.example.org', region: 'x' },
  ],
] as const)('[K-642] %s is a place in a bucket', ([url, location]) => {
  expect(parseObjectsUrl(url)).toEqual(location)
})

test.for([
  's3://',
  's3://ab',
  's3://My-Bucket',
  's3://my_bucket',
  's3://my-bucket:9000/',
  's3://my-bucket/%2e%2e%2fother',
  's3://my-bucket/%00',
  's3://my-bucket/a%20b',
  's3://my-bucket/...',
  's3://my-bucket?path_style=yes',
  's3://my-bucket?region=',
  's3://my-bucket?region=a/b',
  's3://my-bucket?endpoint=ftp://127.0.0.1',
  's3://my-bucket?endpoint=127.0.0.1:9000',
  's3://my-bucket?endpoint=http://127.0.0.1/path',
  's3://my-bucket?endpoint=',
  's3://my-bucket#x',
])('[K-642] %s is refused', (url) => {
  expect(() => parseObjectsUrl(url)).toThrow(TypeError)
})

test.for([
  '',
  'no url',
  'https://my-bucket',
  'S4://my-bucket',
  's3://my-bucket?unknown=1',
  's3://my-bucket?region=a&region=b',
  's3://key:hunter2@my-bucket',
  's3://hunter2@my-bucket',
  's3://my-bucket?endpoint=http://key:hunter2@127.0.0.1',
  's3://my-bucket?secret=hunter2',
  'file://user:hunter2@localhost/a',
])('[K-643] %j is refused without being repeated', (url) => {
  const parse = () => parseObjectsUrl(url)
  expect(parse).toThrow(/^the objects URL cannot be used: /)
  expect(parse).not.toThrow(/hunter2/)
})

test('[K-643] any text is a location or a TypeError', () => {
  const starts = fc.constantFrom(
    '',
    's3://',
    's3://bucket/',
    's3://bucket?',
    's3://bucket?endpoint=',
    'file:///',
  )
  const url = fc.tuple(starts, fc.string()).map((parts) => parts.join(''))
  const outcome = (text: string) => {
    try {
      return parseObjectsUrl(text).kind
    } catch (error) {
      return String(error)
    }
  }
  fc.assert(
    fc.property(url, (text) => {
      expect(outcome(text)).toMatch(/^(file$|s3$|TypeError: the objects URL cannot be used: )/)
    }),
    { numRuns: 500 },
  )
})
