/** In the order of the contract: the database keeps none, people read these files, and equal content must give equal bytes. */
export const PACKAGE_KEYS = [
  'name',
  'description',
  'description_full',
  'identifier',
  'type',
  'author',
  'maintainer',
  'category',
  'license',
  'resources',
  'tags',
  'keep_on_update',
] as const

/** What an archive says of its version. Where and how large it is, the service knows by itself. */
export const VERSION_KEYS = [
  'version',
  'version_epoch',
  'status',
  'tool_version',
  'tool_version_max',
  'platforms',
  'runtime',
  'keep_on_update',
] as const
