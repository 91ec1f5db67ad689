/** A failure that a person can fix: the problem, and the remedy. Printed without a stack. */
export class StepError extends Error {
  /** @override */
  name = 'StepError'

  /**
   * @param {string} message
   * @param {string} remedy
   */
  constructor(message, remedy) {
    super(message)
    this.remedy = remedy
  }
}
