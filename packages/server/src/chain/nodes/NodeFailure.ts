/** How a node let us down. `busy` means that it works, only not now. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly busy: boolean

  constructor(message: string, busy = false) {
    super(message)
    this.busy = busy
  }
}
