/** The type of a picture by its first bytes; undefined where it is none that browsers show. */
export function sniffPicture(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  if (/^ftypavi[fs]/.test(head.slice(4))) return 'image/avif'
  return isSvg(bytes.subarray(0, 4096).toString('utf8')) ? 'image/svg+xml' : undefined
}

/** Step by step: one expression for all of it would try every way to share out blanks, and a minter can send many. */
function isSvg(head: string): boolean {
  let text = head.replace(/^\uFEFF/, '').trimStart()
  for (let skipped = skip(text); skipped !== undefined; skipped = skip(text)) text = skipped.trimStart()
  return /^<svg[\s>]/i.test(text)
}

/** What comes after a declaration, a comment or the type of the document. */
function skip(text: string): string | undefined {
  const end = text.startsWith('<!--') ? '-->' : /^(<\?xml|<!DOCTYPE svg)/i.test(text) ? '>' : undefined
  const at = end === undefined ? -1 : text.indexOf(end)
  return end === undefined || at < 0 ? undefined : text.slice(at + end.length)
}
