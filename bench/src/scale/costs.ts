/** CPU of one operation, in microseconds of a core, by who spends it. */
export interface Cost {
  readonly node?: number
  readonly gateway?: number
  readonly postgres?: number
  readonly redis?: number
  readonly proxy?: number
  readonly worker?: number
}

export interface Operation {
  readonly name: string
  readonly cost: Cost
  /** Where the figure is from. */
  readonly source: 'measured' | 'derived' | 'guessed'
  readonly from: string
  /** How often one person does it on a working day. */
  readonly perDay: number
}

const MS = 1_000

/** What people cause on a day. A figure that no bench has is guessed from one that is alike, and says so. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'edit of a file, half a second of typing or one move of a part',
    cost: { node: 2 * MS, postgres: 1.25 * MS, redis: 30 },
    source: 'guessed',
    from: 'a panel action: both are one transaction on one row, told to the others',
    perDay: 1_500,
  },
  {
    name: 'panel action of a script or agent',
    cost: { node: 2.4 * MS, postgres: 1.25 * MS, redis: 60 },
    source: 'derived',
    from: '[panels](../benchmarks/panels.md): 347 a second on two cores with everything; 800 a second on a core of PostgreSQL',
    perDay: 100,
  },
  {
    name: 'file read',
    cost: { node: 0.5 * MS, postgres: 0.3 * MS },
    source: 'derived',
    from: '[files](../benchmarks/files.md): 1,793 a second on two cores with the generator',
    perDay: 300,
  },
  {
    name: 'list of files',
    cost: { node: 4 * MS, postgres: 6 * MS },
    source: 'derived',
    from: '[files](../benchmarks/files.md): 152 pages of 200 files a second on two cores with the generator',
    perDay: 20,
  },
  {
    name: 'login of an application',
    cost: { node: 700, postgres: 520, redis: 40 },
    source: 'derived',
    from: '[identity](../benchmarks/identity.md): create, poll, link',
    perDay: 0.3,
  },
  {
    name: 'connection of a service through the gateway',
    cost: { gateway: 485, redis: 60 },
    source: 'measured',
    from: '[gateway](../benchmarks/gateway.md), whole flow',
    perDay: 0.5,
  },
  {
    name: 'package list of a design tool',
    cost: { proxy: 33 },
    source: 'measured',
    from: '[registry](../benchmarks/registry.md), behind the nginx of `deploy/`',
    perDay: 5,
  },
  {
    name: 'archive of 1 MB',
    cost: { node: 308, proxy: 100 },
    source: 'measured',
    from: '[registry](../benchmarks/registry.md), from a folder',
    perDay: 1,
  },
  {
    name: 'search for packages',
    cost: { node: 1 * MS, postgres: 10 * MS },
    source: 'derived',
    from: '[registry](../benchmarks/registry.md): two words among 100,000 packages',
    perDay: 2,
  },
  {
    name: 'publication',
    cost: { node: 290 * MS, postgres: 52 * MS },
    source: 'measured',
    from: '[registry](../benchmarks/registry.md), with 100,000 packages',
    perDay: 0.01,
  },
  {
    name: 'value of a device, kept and shown',
    cost: { node: 120, postgres: 70 },
    source: 'derived',
    from: '[devices](devices.md), at 16,000 devices',
    perDay: 6_000,
  },
  {
    name: 'job of KiCad that nobody asked before',
    cost: { worker: 3_000 * MS, node: 10 * MS, postgres: 5 * MS },
    source: 'guessed',
    from: 'between the netlist (0.7 s) and the model (6 s) of KiCad 9 by hand',
    perDay: 5,
  },
]

/** What is held as long as a workspace is open in a browser. */
export const OPEN_WORKSPACE = {
  /** Of that many who come on a day, at the busiest hour. */
  share: 0.25,
  nodeKib: 44,
  from: '[panels](../benchmarks/panels.md), on Redis',
}

/** The busiest hour against the mean of the day: a third of the day's work in a tenth of its time. */
export const PEAK = 3.3
/** A process of ours uses one core; at more than this it answers late. */
export const WELL_USED = 0.6
export const NODE_BASE_MIB = 230
