/**
 * EIP-4361, for the competitors that leave the text to the page. As many lines as the text that our server writes, so
 * that all read and hash about the same.
 *
 * @param {{ port: number, address: string, nonce: string }} given
 */
export function writeMessage({ port, address, nonce }) {
  const now = Date.now()
  return [
    `127.0.0.1:${port} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Sign in to Bench. This costs nothing and sends nothing on chain.',
    '',
    `URI: http://127.0.0.1:${port}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(now).toISOString()}`,
    `Expiration Time: ${new Date(now + 600_000).toISOString()}`,
  ].join('\n')
}
