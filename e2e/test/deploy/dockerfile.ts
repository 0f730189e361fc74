import { readText } from './files.ts'

export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of each stage, by the stage's name. Continued lines are joined, comments are dropped. */
export async function readStages(path: string): Promise<Map<string, Instruction[]>> {
  const joined = (await readText(path)).replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '')
  const stages = new Map<string, Instruction[]>()
  let current: Instruction[] = []
  for (const line of joined.split('\n').filter((text) => text.trim() !== '')) {
    const name = line.slice(0, line.indexOf(' '))
    const text = line.slice(name.length).trim()
    if (name === 'FROM') {
      current = []
      stages.set(/ AS (\S+)$/.exec(text)?.[1] ?? '', current)
    }
    current.push({ name, text })
  }
  return stages
}

export function textOf(stage: readonly Instruction[] | undefined, name: string): string {
  return stage?.find((instruction) => instruction.name === name)?.text ?? ''
}

function readEnv(stage: readonly Instruction[] | undefined): Record<string, string> {
  const pairs = textOf(stage, 'ENV').split(/\s+/)
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
}

export type Image = 'server' | 'gateway'

/** The image's own environment: every way that uses the image adds to it. */
export async function readImageEnvironment(image: Image): Promise<Record<string, string>> {
  return readEnv((await readStages('deploy/Dockerfile')).get(image))
}
