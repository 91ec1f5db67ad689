import type { RuntimeConfig } from '@countersign/protocol'

/** Where the page itself finds the picture: the page may be open under another name than the server gives itself. */
export function avatarUrl({ serverUrl, appId }: RuntimeConfig, name: string, size: number): string {
  const pixels = Math.ceil(size * Math.min(window.devicePixelRatio || 1, 3))
  return `${serverUrl}/files/${encodeURIComponent(appId)}/${encodeURIComponent(name)}?size=${pixels}`
}
