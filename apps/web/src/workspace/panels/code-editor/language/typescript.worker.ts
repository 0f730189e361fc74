import { serveHelp } from './serve-help.ts'
import { typescriptHelp } from './typescript-help.ts'

serveHelp(typescriptHelp)
