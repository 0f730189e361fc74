import { middle, ratio } from '../gateway/turns.ts'
import type { ArchiveServingResult } from './archive-serving.ts'
import { GOALS, type RegistryFigures } from './figures.ts'
import { SERVED, type ServedName } from './serving.ts'
import { SERVED_TEXTS, SERVING_GOALS } from './tables.ts'

/** Which goals were missed, by how much, and what stands in the way. */
export function registryLimits({ validation, download, archives, scale }: RegistryFigures): string {
  const served = (name: ServedName) =>
    ratio(scale.serving.rounds[name], 'server', 'nginx', ({ perSecond }) => perSecond)
  const cpu = (name: ServedName, host: 'nginx' | 'server') =>
    middle(scale.serving.rounds[name], host, (each) => each.cpu).toFixed(0)
  const bare = (name: ServedName, against: 'nginx' | 'server') =>
    against === 'nginx'
      ? ratio(scale.serving.rounds[name], 'bare', 'nginx', ({ perSecond }) => perSecond).toFixed(2)
      : ratio(scale.serving.rounds[name], 'server', 'bare', ({ perSecond }) => perSecond).toFixed(2)
  const checked = ratio(validation.synthetic, 'ours', 'ajv', (value) => value)
  const downloaded = ratio(download, 'manager', 'openssl', (each) => each.megabytesPerSecond)
  const missed = [
    ...(checked < GOALS.validation
      ? [`validation, ${checked.toFixed(2)} instead of ${GOALS.validation}`]
      : []),
    ...SERVED.filter((name) => served(name) < (SERVING_GOALS[name] ?? 0)).map(
      (name) => `${SERVED_TEXTS[name]}, ${served(name).toFixed(2)} instead of ${SERVING_GOALS[name]}`,
    ),
    ...(downloaded < GOALS.download
      ? [`download, ${downloaded.toFixed(2)} instead of ${GOALS.download}`]
      : []),
  ]
  const seconds = (name: 'openssl' | 'manager') => middle(download, name, (each) => each.cpu).toFixed(2)
  return `${missed.length === 0 ? 'Every goal is reached.' : `Not reached: ${missed.join('; ')}.`}

Validation: a check of ours is the engine's own, compiled once from the same schema, with a faster test for repeated items and a limit of depth.

Serving: nginx answers from the kernel's file cache in C. The server takes ${cpu('unchanged', 'server')} µs for a 304 where nginx takes ${cpu('unchanged', 'nginx')} µs: that is HTTP in JavaScript
through the route with its guards, headers, limits and metrics ([kernel.md](kernel.md)). In a profile of nothing but 304s, 37 % of the server's time was the system call that
sends the answer and no function of ours had 2 %: the distance to bare \`node:http\` is the sum of routing, hooks and checks. A bare \`node:http\` server
comes to ${bare('unchanged', 'nginx')} of nginx on 304s and ${bare('br', 'nginx')} on the compressed list, and ours to ${bare('unchanged', 'server')} and ${bare('br', 'server')} of that. For a body, nginx hands the kernel
a file, and Node copies it for every answer. One process has one thread; more nodes, or any
cache in front, which the immutable addresses invite, raise it.

Archives: ${missedArchives(archives)} Of a small one the system call that sends it takes longer than nginx needs for all of the answer, which hands the kernel a file. Large ones
are hashed once in ten minutes. From S3 every byte passes two connections of one process, on the same two cores as the store:
the setting that sends clients to the bucket, or nginx to the folder, takes the server out of the way.

Download: hashing alone takes ${seconds('openssl')} s of CPU, the package manager ${seconds('manager')} s with reading from the socket, hashing and writing. Hash and socket share
the one thread of JavaScript, writing has its own.

Publishing: the owner's lists are compressed anew for each brand with br, zstd and gzip, then come the disk and the transaction. With signatures a publish signs the
bins of what changed, the snapshot and the timestamp; a bin holds 1/256 of all sparse files, so that this part grows with the number of packages.`
}

function missedArchives({ hosts, costs }: ArchiveServingResult): string {
  const missed = costs.flatMap(({ bytes, rounds }) =>
    (['files', 's3'] as const).flatMap((ours) => {
      if (!hosts.includes(ours)) return []
      const against = ratio(rounds, ours, 'nginx', ({ perSecond }) => perSecond)
      const place = ours === 'files' ? 'a folder' : 'S3'
      return against < GOALS.archives
        ? [
            `${bytes.toLocaleString('en-US')} bytes from ${place}, ${against.toFixed(2)} instead of ${GOALS.archives}`,
          ]
        : []
    }),
  )
  return missed.length === 0 ? 'every goal is reached.' : `not reached ${missed.join('; ')}.`
}
