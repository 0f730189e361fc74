import { packFolder } from '../src/index.ts'

/** Packs under another umask: a worker thread cannot set its own. The time zone comes with the environment. */
const [folder = '', out = '', umask = '0'] = process.argv.slice(2)
process.umask(Number.parseInt(umask, 8))
const { sha256 } = await packFolder(folder, { out })
process.stdout.write(sha256)
