/** The type of a picture by its first bytes; undefined where it is none that browsers show. */
export function sniffPicture(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  if (/^ftypavi[fs]/.test(head.slice(4))) return 'image/avif'
  const text = bytes
    .subarray(0, 4096)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
  const isSvg = /^\s*(<\?xml[^>]*>)?\s*(<!DOCTYPE svg[^>]*>)?\s*<svg[\s>]/i.test(text)
  return isSvg ? 'image/svg+xml' : undefined
}
