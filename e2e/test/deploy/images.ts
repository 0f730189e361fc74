import { cp, mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Containers } from './containers.ts'

/** What is built of the Dockerfile, by target: named as compose.yaml names it. */
export const IMAGES = {
  server: 'localhost/patchbay-server:local',
  gateway: 'localhost/patchbay-gateway:local',
} as const

/** In place of the two that the Dockerfile names. */
export const BASE_IMAGES = { build: 'localhost/test-build', runtime: 'localhost/test-runtime' } as const

/** Debian and Node: the images that the Dockerfile names cannot be had without a registry of images. */
const BASES = {
  build: `FROM scratch
ADD build.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
`,
  runtime: `FROM scratch
ADD runtime.tar /
COPY node /nodejs/bin/node
`,
}

/** Debian's PostgreSQL and Redis, which do what compose.yaml asks of the images that it names. */
const ENGINES = `FROM scratch
ADD engines.tar /
COPY start-postgres /usr/local/bin/start-postgres
RUN chmod 755 /usr/local/bin/start-postgres \\
 && ln -s redis-server /usr/bin/valkey-server && ln -s redis-cli /usr/bin/valkey-cli \\
 && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ \\
 && rm -rf /var/lib/postgresql && install -d -o 999 -g 999 /var/lib/postgresql /data
ENTRYPOINT ["/bin/sh", "-c", "[ $# -gt 0 ] || exec start-postgres; exec \\"$@\\"", "sh"]
STOPSIGNAL SIGINT
`
const START_POSTGRES = `#!/bin/sh
set -eu
export PGDATA=/var/lib/postgresql/data
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -c listen_addresses='*'
`

/** Both images of the Dockerfile, with the bases in place of those that it names. */
export async function buildImages(containers: Containers): Promise<void> {
  const bases = join(containers.folder, 'bases')
  await mkdir(bases)
  await debian(containers, 'minbase', 'ca-certificates', join(bases, 'build.tar'))
  await debian(containers, 'extract', 'libc6,libstdc++6,libgcc-s1', join(bases, 'runtime.tar'))
  await cp(process.execPath, join(bases, 'node'))
  const npm = (await containers.run('sh', ['-c', 'command -v npm'])).trim()
  await cp(dirname(dirname(await realpath(npm))), join(bases, 'npm'), { recursive: true, dereference: true })
  await cp(process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt', join(bases, 'ca.crt'))
  for (const name of ['build', 'runtime'] as const) {
    await writeFile(join(bases, name), BASES[name])
    await containers.build('--file', join(bases, name), '--tag', BASE_IMAGES[name], bases)
  }
  const from = [`BUILD_IMAGE=${BASE_IMAGES.build}`, `RUNTIME_IMAGE=${BASE_IMAGES.runtime}`]
  const args = from.flatMap((each) => ['--build-arg', each])
  for (const [target, image] of Object.entries(IMAGES))
    await containers.build(...args, '--file', 'deploy/Dockerfile', '--target', target, '--tag', image, '.')
}

/** Tagged with each of the names. */
export async function buildEngines(containers: Containers, names: readonly string[]): Promise<void> {
  const folder = join(containers.folder, 'engines')
  await mkdir(folder)
  await debian(containers, 'minbase', 'postgresql,redis-server', join(folder, 'engines.tar'))
  await writeFile(join(folder, 'start-postgres'), START_POSTGRES)
  await writeFile(join(folder, 'engines'), ENGINES)
  const tags = names.flatMap((name) => ['--tag', name])
  await containers.build('--file', join(folder, 'engines'), ...tags, folder)
}

function debian({ run }: Containers, variant: string, packages: string, out: string): Promise<string> {
  return run('mmdebstrap', ['--quiet', `--variant=${variant}`, `--include=${packages}`, 'bookworm', out])
}
