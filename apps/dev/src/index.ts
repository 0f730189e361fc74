export { runDevelopment } from './develop.ts'
