import {
  defineConfig,
  integer,
  optional,
  sharedSettings,
  text,
  type Values,
  withDefault,
} from '@patchbay/kernel/config'

export const workerConfig = defineConfig({
  process: 'worker',
  settings: {
    databaseUrl: sharedSettings.databaseUrl,
    objectsUrl: sharedSettings.objectsUrl,
    objectsAccessKeyId: sharedSettings.objectsAccessKeyId,
    objectsSecretAccessKey: sharedSettings.objectsSecretAccessKey,
    kicad: withDefault(
      {
        variable: 'PATCHBAY_WORKER_KICAD',
        meaning: 'The command line of KiCad 9, below `/usr`.',
      },
      text,
      '/usr/bin/kicad-cli',
    ),
    folder: optional(
      {
        variable: 'PATCHBAY_WORKER_FOLDER',
        meaning:
          'Where the files of jobs are while they last; what a worker that was killed has left there goes at the next start. Unset: a folder of this account among the temporary files.',
      },
      text,
    ),
    jobs: withDefault(
      {
        variable: 'PATCHBAY_WORKER_JOBS',
        meaning: 'Jobs that one worker does at once. KiCad uses about a core for each.',
      },
      integer({ min: 1, max: 64 }),
      1,
    ),
    jobSeconds: withDefault(
      { variable: 'PATCHBAY_WORKER_JOB_SECONDS', meaning: 'How long KiCad may take for a job.' },
      integer({ min: 1, max: 3_600 }),
      300,
    ),
    memoryMib: withDefault(
      {
        variable: 'PATCHBAY_WORKER_MEMORY_MIB',
        meaning: 'Memory (address space, in MiB) that KiCad may take for a job.',
      },
      integer({ min: 64, max: 262_144 }),
      4_096,
    ),
    leaseSeconds: withDefault(
      {
        variable: 'PATCHBAY_WORKER_LEASE_SECONDS',
        meaning: 'How long the jobs of a worker that was killed wait before another one takes them.',
      },
      integer({ min: 2, max: 600 }),
      20,
    ),
    nodeName: withDefault(
      {
        variable: 'PATCHBAY_WORKER_NAME',
        meaning: 'First part of the id of the worker in logs; a random part is added for each run.',
      },
      text,
      'worker',
    ),
    logLevel: sharedSettings.logLevel,
    traceEndpoint: sharedSettings.traceEndpoint,
    traceHeaders: sharedSettings.traceHeaders,
    drainSeconds: sharedSettings.drainSeconds,
  },
  conditions: ({ objectsUrl, objectsAccessKeyId, objectsSecretAccessKey, kicad }) => [
    ...(objectsUrl?.startsWith('s3:') === true &&
    (objectsAccessKeyId === undefined || objectsSecretAccessKey === undefined)
      ? [
          {
            variable: 'PATCHBAY_OBJECTS_ACCESS_KEY_ID',
            wrong:
              'or PATCHBAY_OBJECTS_SECRET_ACCESS_KEY is not set, but PATCHBAY_OBJECTS_URL names a bucket',
          },
        ]
      : []),
    ...(kicad.startsWith('/usr/')
      ? []
      : [
          {
            variable: 'PATCHBAY_WORKER_KICAD',
            wrong: 'is not below /usr, which is all that the sandbox sees',
          },
        ]),
  ],
})

export type WorkerConfig = Values<typeof workerConfig.settings>
