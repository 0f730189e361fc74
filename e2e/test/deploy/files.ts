import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

export const ROOT = join(import.meta.dirname, '../../..')

export function readText(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8')
}

/** Structure is asserted by the tests; reading it is all that happens here. */
export async function readYaml<Shape>(path: string): Promise<Shape> {
  const value: Shape = parse(await readText(path), { merge: true })
  return value
}

/** `NAME=value` lines, as env files and unit files have them. */
export function parseAssignments(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}
