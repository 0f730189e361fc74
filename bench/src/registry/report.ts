import { loadavg } from 'node:os'
import { describeMachine } from '../machine.ts'
import type { RegistryFigures } from './figures.ts'
import { registryLimits } from './limits.ts'
import type { SizeCost } from './scale.ts'
import { CONNECTIONS } from './site.ts'
import { PACKAGES_PER_OWNER } from './synthetic-package.ts'
import {
  archivesTable,
  downloadTable,
  publishTable,
  readingTable,
  servingTable,
  validationTable,
} from './tables.ts'
import { BIN_BITS } from './trust-folder.ts'

export function registryReport(figures: RegistryFigures, loadBefore: number): string {
  const { scale, sizes } = figures
  const thousands = (value: number) => value.toLocaleString('en-US')
  const [smallest, largest] = [scale.sizes.at(0), scale.sizes.at(-1)]
  if (smallest === undefined || largest === undefined) throw new Error('nothing was measured')
  const slope = (pick: (cost: SizeCost) => number) => (pick(largest) / pick(smallest)).toFixed(2)
  const late = scale.sizes.reduce((sum, { unsigned, signed }) => sum + unsigned.late + signed.late, 0)
  return `# What the registry costs

Written by \`pnpm bench registry\`, all sides in one run and in turns; medians, and medians of the ratios of neighbouring
rounds. ${describeMachine()} Load average before the run: ${loadBefore.toFixed(1)}, at its end: ${loadavg()[0]?.toFixed(1)}.

![The registry beside bare engines](registry-ratios.svg)

## Validation

\`createPackageValidator\` against bare Ajv with the published JSON Schema; ${sizes.validation.rounds} rounds of ${sizes.validation.seconds} s each. Both must agree on every package.

${validationTable(figures)}

## Serving the index

One \`patchbay server\` against one nginx process with the same bytes as files (\`gzip_static\`, \`sendfile\`, open files remembered, no log), loaded by
wrk over 32 kept-alive connections; ${sizes.scale.serving.rounds} rounds of ${sizes.scale.serving.seconds} s each. Before each measurement all must give the same status and the same bytes.
The third is a \`node:http\` server that has these files in a map, sends the same headers and does nothing else (\`bench/src/registry/bare-files.ts\`): more than it
does, no server in Node can.

${servingTable(figures)}

## Serving archives

The same archives from one nginx process as files, from verdaccio as tarballs, and from one \`patchbay server\` that keeps them in a folder or in an S3 store (Ceph's
radosgw on this machine), or from that store itself, where \`PATCHBAY_ARCHIVE_DELIVERY=redirect\` sends clients; loaded by wrk; ${sizes.archives.rounds} rounds. Before each measurement all must give the same bytes.

${archivesTable(figures)}

## Downloading

A file of ${sizes.download.megabytes} MiB from nginx on this machine to the disk by the package manager, which hashes and counts while it writes, against hashing
the same file where it lies; ${sizes.download.rounds} rounds.

${downloadTable(figures)}

## Publishing while others are there

${sizes.scale.packages.map(thousands).join(', ')} packages with three versions each in PostgreSQL, ${PACKAGES_PER_OWNER} of each owner; ${sizes.scale.publishing.publishes} versions one after the other over HTTP, each of another package of one
owner. The answer comes when the owner's feeds carry the version, so that building them for all brands and codings is part of it. The list of all packages is beyond
its limit and not built. p99 of so few is the longest one. The signed index has ${2 ** BIN_BITS} bins.

${publishTable(figures)}

![Publishing one version](registry-publish.svg)

From ${thousands(smallest.packages)} to ${thousands(largest.packages)} packages the median becomes ${slope(({ unsigned }) => unsigned.p50Ms)} times as long (CPU of the server: ${slope(({ unsigned }) => unsigned.cpuMs.server)} times), with signatures ${slope(({ signed }) => signed.p50Ms)} times (${slope(({ signed }) => signed.cpuMs.server)} times).
While the list of all packages is small enough to be built, a publish builds that too: with ${thousands(smallest.packages)} packages it takes ${scale.withWholeFeed.p50Ms.toFixed(0)} ms (p99 ${scale.withWholeFeed.p99Ms.toFixed(0)} ms).
${late === 0 ? 'Every publish was answered with the feeds built.' : `${late} publishes were answered after 2 s, before the feeds were built.`}

## Sparse files and search

With ${thousands(largest.packages)} packages, against the statements that the server sends, taken from PostgreSQL's log, sent by \`pg\`. Sparse files of packages all over the table
are asked for over 32 connections, the loop has ${CONNECTIONS} to the database, as many as the server; the server asks for all that one turn of its event loop brings
with one statement. Searches come one after the other on one connection, with ${sizes.scale.reading.queries} different queries of each kind in turn and 50 hits on a page, for
words that are in less than a third of the packages (more frequent ones are slower); ${sizes.scale.reading.rounds} rounds of ${sizes.scale.reading.seconds} s each.

${readingTable(figures)}

## What limits it

${registryLimits(figures)}

## To repeat

\`pnpm bench registry\` needs PostgreSQL, nginx, wrk, curl, openssl and a machine that does nothing else; \`--smoke\` takes seconds and writes nothing.
\`node --cpu-prof --cpu-prof-dir=<folder> bench/src/main.ts registry --smoke\` leaves a profile of every server.
`
}
