/** How a node let us down. `busy` means that it works, only not now; `tooLong` that the answer took too long, or was. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly busy: boolean
  readonly tooLong: boolean

  constructor(message: string, busy = false, tooLong = false) {
    super(message)
    this.busy = busy
    this.tooLong = tooLong
  }
}
