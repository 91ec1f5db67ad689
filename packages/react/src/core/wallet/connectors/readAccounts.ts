/** The accounts out of a wallet's answer or event; what is no list of texts is none. */
export function readAccounts(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((one) => typeof one === 'string') : []
}
