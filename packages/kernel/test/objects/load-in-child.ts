import { registerHooks } from 'node:module'

/** Run as a process of its own: `load-in-child.ts <folder>`. Says how much of the S3 client each store loads. */
let loaded = 0
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@aws-sdk/')) loaded += 1
    return next(specifier, context)
  },
})

const [folder = ''] = process.argv.slice(2)
const { createObjects } = await import('../../src/objects/index.ts')
const { Secret } = await import('../../src/log/index.ts')
await using files = await createObjects({ url: `file://${folder}/objects` })
await files.ping()
const withFiles = loaded
const credentials = { accessKeyId: 'key', secretAccessKey: new Secret('secret') }
await using s3 = await createObjects({ url: 's3://bucket', ...credentials, spoolDir: `${folder}/spool` })
process.stdout.write(JSON.stringify({ withFiles, withS3: loaded, kinds: [typeof files.put, typeof s3.put] }))
