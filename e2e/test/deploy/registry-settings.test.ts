import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { readImageEnvironment } from './dockerfile.ts'
import { parseAssignments, readText, readYaml } from './files.ts'
import type { Deployment } from './kubernetes.ts'
import { settingsOf } from './kustomization.ts'
import { ARCHIVES_AT_ONCE, LARGEST_ARCHIVE_BYTES, readServerConfig } from './server-config.ts'
import { noSystemd, readUnit, verify } from './units.ts'

const DATABASE = { DATABASE_URL: 'postgres://patchbay:secret@127.0.0.1/patchbay' }
const GIB = 1024 ** 3
const compose = await readYaml<{
  services: { server: { environment: Record<string, string>; volumes: string[]; tmpfs: string[] } }
}>('compose.yaml')
const { server } = compose.services
const unit = await readUnit('patchbay-server.service')
const signing = await readUnit('signing.conf')
const pod = (await readYaml<Deployment>('deploy/kubernetes/deployment.yaml')).spec.template.spec
const [container] = pod.containers
const readme = await readText('deploy/README.md')

const EXAMPLES = {
  Compose: 'deploy/compose.env.example',
  systemd: 'deploy/systemd/server.env.example',
  Kubernetes: 'deploy/kubernetes/kustomization.yaml',
}

/** What an example says in comments that only have to be uncommented. */
async function readCommented(path: string): Promise<Record<string, string>> {
  const comments = (await readText(path)).matchAll(/^\s*# (?:- )?([A-Z_]+=.*)$/gm)
  return parseAssignments([...comments].map(([, line]) => line).join('\n'))
}

test('[DP-104] the image keeps the spool in the folder that is its user’s', async () => {
  const { spoolFolder } = readServerConfig(DATABASE, await readImageEnvironment('server'))
  const folder = dirname(spoolFolder ?? '')
  expect(await readText('deploy/Dockerfile')).toContain(
    `COPY --from=base --chown=1000:1000 ${folder} ${folder}\n`,
  )
})

test('[DP-104] in Compose the spool is on a volume, not in memory', async () => {
  const { spoolFolder = '' } = readServerConfig(DATABASE, await readImageEnvironment('server'))
  expect(server.environment).not.toHaveProperty('PATCHBAY_SPOOL_FOLDER')
  expect(server.volumes).toContain(`objects:${dirname(spoolFolder)}`)
  for (const each of server.tmpfs) expect(spoolFolder.startsWith(each.split(':')[0] ?? '')).toBe(false)
})

test('[DP-104] with systemd the spool is in the folder that the unit may write', () => {
  const { spoolFolder } = readServerConfig({ ...DATABASE, ...unit.environment })
  expect(spoolFolder).toBe(`/var/lib/${unit.directive('StateDirectory')}/spool`)
})

test('[DP-104] in Kubernetes the spool is on the disk, with room for what is taken at once', async () => {
  const { spoolFolder } = readServerConfig(
    await settingsOf('patchbay-server'),
    await readImageEnvironment('server'),
  )
  const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === spoolFolder)
  const room = pod.volumes?.find(({ name }) => name === mount?.name)?.emptyDir
  expect(room).not.toHaveProperty('medium')
  expect(room?.sizeLimit).toMatch(/^\d+Gi$/)
  expect(Number.parseInt(room?.sizeLimit ?? '', 10) * GIB).toBeGreaterThan(
    ARCHIVES_AT_ONCE * LARGEST_ARCHIVE_BYTES,
  )
})

test.for(Object.entries(EXAMPLES))('[DP-105] %s names the repository and its brands', async ([, path]) => {
  const text = await readText(path)
  const config = readServerConfig({
    ...DATABASE,
    ...registryPart(parseAssignments(text.replaceAll(/^ *- /gm, ''))),
  })
  expect(config).toMatchObject({ repositoryName: 'Patchbay', toolBrands: ['kicad'] })
})

test.for(Object.entries(EXAMPLES))('[DP-105] what %s has in comments is accepted', async ([, path]) => {
  const commented = registryPart(await readCommented(path))
  expect(commented).not.toEqual({})
  expect(() => readServerConfig({ ...DATABASE, ...commented })).not.toThrow()
})

test('[DP-105] in Compose the key is where the folder of the checkout is mounted', async () => {
  const config = readServerConfig({ ...DATABASE, ...registryPart(await readCommented(EXAMPLES.Compose)) })
  expect(server.volumes).toContain('./.patchbay/signing:/etc/patchbay/signing:ro')
  expect(config).toMatchObject({
    trustFolder: '/etc/patchbay/signing/trust',
    trustOnlineKeyFile: '/etc/patchbay/signing/online.pem',
  })
  expect(readme).toContain('cp -r server-keys/trust .patchbay/signing/')
  expect(readme).toContain('server-keys/online-1.pem .patchbay/signing/online.pem')
})

test('[DP-105] with systemd the key is handed over, and readable for the server alone', () => {
  const [name, source] = signing.directive('LoadCredential').split(':')
  const config = readServerConfig({ ...DATABASE, ...signing.environment })
  expect(config.trustOnlineKeyFile).toBe(`%d/${name}`)
  expect(readme).toContain(`install -D --mode=600 server-keys/online-1.pem ${source}`)
  expect(readme).toContain(`--target-directory=${config.trustFolder} server-keys/trust/*.json`)
})

test.skipIf(noSystemd)('[DP-105] systemd accepts it beside the unit without a remark', async () => {
  expect(await verify([unit], [signing])).toEqual({ code: 0, output: '' })
  const misspelled = { ...signing, text: signing.text.replace('LoadCredential=', 'LoadCredentail=') }
  expect((await verify([unit], [misspelled])).output).toContain('LoadCredentail')
})

test('[DP-105] in Kubernetes the key comes from a secret that need not be there', async () => {
  const config = readServerConfig({ ...DATABASE, ...registryPart(await readCommented(EXAMPLES.Kubernetes)) })
  const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === config.trustFolder)
  const secret = pod.volumes?.find(({ name }) => name === mount?.name)?.secret
  expect(config.trustOnlineKeyFile).toBe(`${config.trustFolder}/online.pem`)
  expect(secret).toMatchObject({ optional: true, defaultMode: 0o440 })
  // Without a group the pod's user could not read what is for owner and group.
  expect(pod.securityContext.fsGroup).toBe(1000)
  expect(readme).toContain(
    `create secret generic ${secret?.secretName} --from-file=online.pem=server-keys/online-1.pem --from-file=server-keys/trust`,
  )
})

function registryPart(values: Record<string, string>): Record<string, string> {
  const names = /^PATCHBAY_(?:REPOSITORY_NAME|TOOL_BRANDS|MAX_ARCHIVE_MB|OUTBOUND_NETWORKS|TRUST_.*)$/
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.test(name)))
}
