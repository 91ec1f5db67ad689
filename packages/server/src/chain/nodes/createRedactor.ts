/** Shorter parts of an address are names such as v2 or mainnet. */
const shortest = 8

/** Removes the keys of a node's URL from its messages: some nodes repeat them in errors. */
export function createRedactor(address: string): (text: string) => string {
  const { href, username, password, pathname, search } = new URL(address)
  const parts = [address, href, ...pathname.split('/'), ...search.split(/[?&=]/)].filter(
    (part) => part.length >= shortest,
  )
  const secrets = [...new Set([...parts, username, password].flatMap((part) => [part, decode(part)]))]
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
