import { Project } from './project.ts'

// Opens the folder under whatever limits it was started with, and says how that failed.
const failure: unknown = await new Project(process.argv[2] ?? '').open().catch((error: unknown) => error)
process.stdout.write(JSON.stringify(failure))
