import { jsonHelp } from './json-help.ts'
import { serveHelp } from './serve-help.ts'

serveHelp(jsonHelp)
