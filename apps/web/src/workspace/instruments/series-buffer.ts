export interface SeriesView {
  readonly times: Float64Array
  readonly values: Float64Array
}

/**
 * The latest values of a series with their times: a ring of fixed size, so that a page that stays open for days needs no
 * more memory than one that was just opened.
 */
export class SeriesBuffer {
  readonly capacity: number
  readonly #times: Float64Array
  readonly #values: Float64Array
  #start = 0
  #size = 0
  readonly #listeners = new Set<() => void>()

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError('a buffer holds at least one value')
    this.capacity = capacity
    this.#times = new Float64Array(capacity)
    this.#values = new Float64Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  get firstTime(): number | undefined {
    return this.#size === 0 ? undefined : this.#timeAt(0)
  }

  get lastTime(): number | undefined {
    return this.#size === 0 ? undefined : this.#timeAt(this.#size - 1)
  }

  get lastValue(): number | undefined {
    return this.#size === 0 ? undefined : this.#values[this.#placeOf(this.#size - 1)]
  }

  /** Whether it was taken: one that is older than the last would break the order that `view` searches by. */
  append(time: number, value: number): boolean {
    if (!this.#put(time, value)) return false
    for (const listener of this.#listeners) listener()
    return true
  }

  /** These in place of all that is there. */
  replace(points: Iterable<readonly [time: number, value: number]>): void {
    this.#start = 0
    this.#size = 0
    for (const [time, value] of points) this.#put(time, value)
    for (const listener of this.#listeners) listener()
  }

  #put(time: number, value: number): boolean {
    if (!Number.isFinite(time) || time < (this.lastTime ?? -Infinity)) return false
    const place = this.#placeOf(this.#size)
    this.#times[place] = time
    this.#values[place] = value
    if (this.#size < this.capacity) this.#size += 1
    else this.#start = (this.#start + 1) % this.capacity
    return true
  }

  /**
   * What lies between two times, both included. With `atMost`, of each of so many stretches only the lowest and the highest
   * value: a peak stays however far one zooms out.
   */
  view(from: number, to: number, atMost = Infinity): SeriesView {
    const first = this.#firstAt(from, false)
    const count = this.#firstAt(to, true) - first
    if (count <= 0) return { times: new Float64Array(), values: new Float64Array() }
    if (count > atMost * 2) return this.#peaks(first, count, atMost)
    return { times: this.#copy(this.#times, first, count), values: this.#copy(this.#values, first, count) }
  }

  /** As it is now, and stays. */
  copy(): SeriesBuffer {
    const copy = new SeriesBuffer(this.capacity)
    copy.#times.set(this.#times)
    copy.#values.set(this.#values)
    copy.#start = this.#start
    copy.#size = this.#size
    return copy
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #placeOf(index: number): number {
    return (this.#start + index) % this.capacity
  }

  #timeAt(index: number): number {
    return this.#times[this.#placeOf(index)] ?? Number.NaN
  }

  /** The index of the first at or after a time, or after it. */
  #firstAt(time: number, isAfter: boolean): number {
    let low = 0
    let high = this.#size
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = this.#timeAt(middle)
      if (at < time || (isAfter && at === time)) low = middle + 1
      else high = middle
    }
    return low
  }

  #copy(ring: Float64Array, first: number, count: number): Float64Array {
    const copy = new Float64Array(count)
    const place = this.#placeOf(first)
    const untilEnd = Math.min(count, this.capacity - place)
    copy.set(ring.subarray(place, place + untilEnd))
    copy.set(ring.subarray(0, count - untilEnd), untilEnd)
    return copy
  }

  #peaks(first: number, count: number, stretches: number): SeriesView {
    const times = new Float64Array(stretches * 2)
    const values = new Float64Array(stretches * 2)
    for (let stretch = 0; stretch < stretches; stretch += 1) {
      const end = first + Math.floor(((stretch + 1) * count) / stretches)
      let lowest = first + Math.floor((stretch * count) / stretches)
      let highest = lowest
      for (let index = lowest + 1; index < end; index += 1) {
        const value = this.#valueAt(index)
        if (value < this.#valueAt(lowest)) lowest = index
        if (value > this.#valueAt(highest)) highest = index
      }
      const pair = [Math.min(lowest, highest), Math.max(lowest, highest)]
      for (const [side, index] of pair.entries()) {
        times[stretch * 2 + side] = this.#timeAt(index)
        values[stretch * 2 + side] = this.#valueAt(index)
      }
    }
    return { times, values }
  }

  #valueAt(index: number): number {
    return this.#values[this.#placeOf(index)] ?? Number.NaN
  }
}
