export { compareVersions, linkOf } from '../src/index.ts'
export { diagnoseHash, validateText } from '../src/validate/index.ts'
