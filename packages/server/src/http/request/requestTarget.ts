import type { Config } from '../../config/Config.ts'

/**
 * Target of a request as a path with its query, in one spelling: routing, counting and handlers all read this text. A
 * proxy may send the absolute form (`GET https://host/path`), whose host has no meaning here. Percent-encoded letters
 * and digits are equal to plain ones (RFC 3986, 6.2.2.2), and the router reads them so.
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

type Mounts = Pick<Config, 'mount' | 'mountPath'>

/** Every path under which the API is found, the first one first. Clients of the first years have `/1`. */
export const listMounts = ({ mount, mountPath }: Mounts): string[] => [...new Set([mount, ...mountPath, '/1'])]

/**
 * Reads an address under another mount of the API as one under the first: what follows knows that one alone. The mounts
 * are listed once, not for each request.
 */
export function createMountReader(config: Mounts): (url: string) => string {
  const [first, ...others] = listMounts(config)
  return (url) => {
    for (const other of others) {
      if (!url.startsWith(other)) continue
      const rest = url.slice(other.length)
      if (rest === '' || rest.startsWith('/') || rest.startsWith('?')) return `${first}${rest}`
    }
    return url
  }
}
