export { createObjects, type ObjectsConfig } from './create-objects.ts'
export { ObjectCorrupt, ObjectRefused } from './errors.ts'
export { createFileObjects, type FileObjectsOptions } from './file.store.ts'
export { type ObjectsLocation, parseObjectsUrl } from './location.ts'
export { isObjectName, MAX_OBJECT_BYTES, MAX_PAGE } from './object-name.ts'
export type {
  ListedObject,
  ListOptions,
  ObjectContent,
  ObjectPage,
  ObjectStat,
  ObjectStore,
  PutOptions,
  StoredObject,
} from './ports.ts'
export { createS3Objects, type S3ObjectsOptions } from './s3.store.ts'
