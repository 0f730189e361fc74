import { fileURLToPath } from 'node:url'

/** Where objects are kept, as an operator writes it; credentials are no part of it. */
export type ObjectsLocation =
  | { readonly kind: 'file'; readonly root: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      readonly prefix: string
      readonly region: string
      readonly forcePathStyle: boolean
      readonly endpoint?: string
    }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX_PART = /^[A-Za-z0-9!_.*'()-]+$/
const REGION = /^[a-z0-9-]+$/
const PARAMETERS = new Set(['endpoint', 'region', 'path_style'])

/**
 * `file:///path`, or `s3://bucket/prefix?endpoint=…&region=…&path_style=true`.
 * Throws a TypeError that says what is wrong without repeating the URL: somebody will have put a password into it.
 */
export function parseObjectsUrl(text: string): ObjectsLocation {
  const url = URL.parse(text)
  check(url !== null, 'it is no URL')
  check(url.username === '' && url.password === '', 'credentials do not belong in it; give them separately')
  check(url.hash === '', 'it has a fragment')
  if (url.protocol === 'file:') return parseFile(text, url)
  check(url.protocol === 's3:', 'it begins with neither file: nor s3:')
  return parseS3(url)
}

function parseFile(text: string, url: URL): ObjectsLocation {
  // The parser would take file:data for /data.
  check(/^file:\/\/\/[^/]/i.test(text), 'a file URL has three slashes: file:///path')
  check(url.search === '', 'a file URL takes no parameters')
  check(url.pathname !== '/', 'objects need a folder of their own')
  const root = pathOf(url)
  check(root !== undefined && !root.includes('\0'), 'the path has an encoded slash or zero, or a stray %')
  return { kind: 'file', root }
}

function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function parseS3(url: URL): ObjectsLocation {
  check(BUCKET.test(url.hostname) && url.port === '', 'the bucket is 3 to 63 of a-z 0-9 . -')
  for (const [name] of url.searchParams) {
    check(PARAMETERS.has(name), `it takes ${[...PARAMETERS].join(', ')} and no other parameter`)
    check(url.searchParams.getAll(name).length === 1, `${name} is given twice`)
  }
  const region = url.searchParams.get('region') ?? 'us-east-1'
  check(REGION.test(region), 'region has other characters than a-z 0-9 -')
  const endpoint = url.searchParams.get('endpoint')
  // Stores outside AWS rarely have a host name for each bucket.
  const pathStyle = url.searchParams.get('path_style') ?? String(endpoint !== null)
  check(pathStyle === 'true' || pathStyle === 'false', 'path_style is true or false')
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: parsePrefix(url.pathname),
    region,
    forcePathStyle: pathStyle === 'true',
    ...(endpoint === null ? {} : { endpoint: parseEndpoint(endpoint) }),
  }
}

function parsePrefix(pathname: string): string {
  const parts = pathname.split('/').filter((part) => part !== '')
  for (const part of parts)
    check(PREFIX_PART.test(part) && !/^\.+$/.test(part), "the prefix takes A-Z a-z 0-9 !_.*'()-")
  return parts.map((part) => `${part}/`).join('')
}

function parseEndpoint(text: string): string {
  const url = URL.parse(text)
  check(url !== null && /^https?:$/.test(url.protocol), 'endpoint is an http or https URL')
  check(url.username === '' && url.password === '', 'credentials do not belong in the endpoint')
  check(
    url.pathname === '/' && url.search === '' && url.hash === '',
    'endpoint is a scheme, a host and a port only',
  )
  return url.origin
}

function check(holds: boolean, why: string): asserts holds {
  if (!holds) throw new TypeError(`the objects URL cannot be used: ${why}`)
}
