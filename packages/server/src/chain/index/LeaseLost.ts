/** Another process took over what this one worked on. Nothing of it was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
