/** The account that a sign-in message names: the second line of its text. */
export function readProof({ message }: { message: string }): { address: string } | undefined {
  const [first, address] = message.split('\n', 2)
  if (!first?.endsWith(' account:') || !address || !/^[0-9A-Za-z]{32,64}$/.test(address)) return undefined
  return { address }
}
