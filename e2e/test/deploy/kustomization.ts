import { parseAssignments, readText, readYaml } from './files.ts'
import type { Kustomization } from './kubernetes.ts'

/** What pods get from the map and the secret of this name; the secret is the one that the README makes. */
export async function settingsOf(name: string): Promise<Record<string, string>> {
  const { configMapGenerator } = await readYaml<Kustomization>('deploy/kubernetes/kustomization.yaml')
  const literals = configMapGenerator.find((map) => map.name === name)?.literals ?? []
  return { ...parseAssignments(literals.join('\n')), ...(await secretOfReadme(name)) }
}

/** The `--from-literal` arguments of the command that the README gives for the secret. */
async function secretOfReadme(name: string): Promise<Record<string, string>> {
  const commands = (await readText('deploy/README.md')).split('kubectl ')
  const command = commands.find((text) => text.startsWith(`create secret generic ${name} `)) ?? ''
  const literals = command.matchAll(/--from-literal='?([A-Z_]+=[^'\s\\]+)/g)
  return parseAssignments([...literals].map(([, pair]) => pair).join('\n'))
}
