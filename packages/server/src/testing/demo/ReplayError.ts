/** What was written down of the chain does not lead to the chain that there was. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'

  constructor() {
    super('The chain of the last start does not come again as it was.')
  }
}
