import type { Config } from '../../config/Config.ts'

type Mounts = Pick<Config, 'mount' | 'mountPath'>

/** Every path under which the API is found, the first one first. Clients of the first years have `/1`. */
export const listMounts = ({ mount, mountPath }: Mounts): string[] => [...new Set([mount, ...mountPath, '/1'])]

/** An address under another mount of the API, as it is under the first: what follows knows that one alone. */
export function toMount(config: Mounts, url: string): string {
  for (const other of listMounts(config).slice(1)) {
    if (!url.startsWith(other)) continue
    const rest = url.slice(other.length)
    if (rest === '' || rest.startsWith('/') || rest.startsWith('?')) return `${config.mount}${rest}`
  }
  return url
}
