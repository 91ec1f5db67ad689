/**
 * The target of a request as a path with its query, in one spelling: what routes it, counts it and carries it out all
 * read this text. A proxy may send the absolute form (`GET https://host/path`), of which the host says nothing here.
 * Letters and digits that are percent-encoded mean the same as themselves (RFC 3986, 6.2.2.2), and the router reads
 * them so.
 */
export function readTarget(target: string): string {
  if (target.startsWith('/') && !target.includes('%')) return target
  const rest = target.replace(absolute, '')
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const end = path.search(/[?#]/)
  return end < 0 ? decodePlain(path) : decodePlain(path.slice(0, end)) + path.slice(end)
}

const absolute = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

function decodePlain(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code
  })
}
