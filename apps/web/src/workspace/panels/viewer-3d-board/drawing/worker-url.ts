/** Where the worker is: another address as soon as its code is another. */
// oxlint-disable-next-line import/default -- Vite answers the address
import workerUrl from './board.worker.ts?worker&url'

export { workerUrl }
