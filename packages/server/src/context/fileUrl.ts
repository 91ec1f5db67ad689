import type { Context } from './Context.ts'

/** Where everyone reads a stored file. */
export function fileUrl({ config, publicUrl, keys }: Context, name: string): string {
  return `${publicUrl}${config.mount}/files/${encodeURIComponent(keys.appId)}/${encodeURIComponent(name)}`
}
