/** Accounts of a wallet's response or event; empty if it is not a list of texts. */
export function readAccounts(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((one) => typeof one === 'string') : []
}
