/** The journal does not reproduce the chain. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'

  constructor() {
    super('The chain of the last start does not come again as it was.')
  }
}
