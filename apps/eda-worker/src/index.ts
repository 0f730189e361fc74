export { type WorkerConfig, workerConfig } from './config.ts'
export { checkWorkerConfig, runWorker } from './run.ts'
export { startWorker, type WorkerProcessDeps } from './worker.ts'
