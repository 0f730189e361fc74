import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningNginx, startNginx } from '@patchbay/testkit/nginx'

/** The same bytes as the server gives, as files that nginx knows. */
export interface MirroredFiles {
  readonly repository: Buffer
  readonly packages: { readonly identity: Buffer; readonly gzip: Buffer; readonly br: Buffer }
}

/** nginx as one would tune it for this: one process, sendfile, open files remembered, no log, connections kept. */
export async function startMirror({ repository, packages }: MirroredFiles): Promise<RunningNginx> {
  return await startNginx({
    config: async ({ folder, port }) => {
      const www = join(folder, 'www')
      await mkdir(join(www, 'br'), { recursive: true })
      await writeFile(join(www, 'repository.json'), repository)
      await writeFile(join(www, 'packages.json'), packages.identity)
      await writeFile(join(www, 'packages.json.gz'), packages.gzip)
      await writeFile(join(www, 'br', 'packages.json'), packages.br)
      return `
        sendfile on; tcp_nopush on; tcp_nodelay on;
        keepalive_timeout 300s; keepalive_requests 100000000;
        open_file_cache max=100 inactive=300s; open_file_cache_valid 300s;
        types { application/json json; }
        server {
          listen 127.0.0.1:${port};
          access_log off;
          root ${www};
          gzip_static on;
          gzip_vary on;
          add_header Cache-Control "public, max-age=31536000, immutable";
          location /br/ {
            gzip_static off;
            add_header Content-Encoding br;
            add_header Vary Accept-Encoding;
            add_header Cache-Control "public, max-age=31536000, immutable";
          }
        }`
    },
  })
}
