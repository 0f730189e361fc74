/** One thing that is wrong with what should be a layout. */
export interface LayoutFault {
  /** Where, as a JSON pointer. */
  readonly path: string
  /** What, in words that follow the name of the place: "must be a UUID in lower case". */
  readonly message: string
}
